/**
 * Puts the parts together: one builder makes the queue, the operations and the worker of
 * one job store.
 */
@NullMarked
package dev.workhorse.runtime;

import org.jspecify.annotations.NullMarked;
