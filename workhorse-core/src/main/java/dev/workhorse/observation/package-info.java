/**
 * What happens inside, for metrics, logs and tests.
 */
@NullMarked
package dev.workhorse.observation;

import org.jspecify.annotations.NullMarked;
