/**
 * Observations of requests and attempts.
 */
@NullMarked
package dev.workhorse.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
