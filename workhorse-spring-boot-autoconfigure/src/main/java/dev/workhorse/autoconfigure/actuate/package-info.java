/**
 * The {@code workhorse} endpoint.
 */
@NullMarked
package dev.workhorse.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
