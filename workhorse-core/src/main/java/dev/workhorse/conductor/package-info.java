/**
 * The entry point for work of which one execution per key exists, whose last request
 * wins, and for events.
 */
@NullMarked
package dev.workhorse.conductor;

import org.jspecify.annotations.NullMarked;
