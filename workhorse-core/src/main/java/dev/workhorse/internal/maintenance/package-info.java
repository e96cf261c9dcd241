/**
 * Removing what is over: expired keys and finished jobs.
 */
@NullMarked
package dev.workhorse.internal.maintenance;

import org.jspecify.annotations.NullMarked;
