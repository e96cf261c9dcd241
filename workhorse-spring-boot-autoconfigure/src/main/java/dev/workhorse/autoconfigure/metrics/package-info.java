/**
 * Meters about accepted and executed jobs.
 */
@NullMarked
package dev.workhorse.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
