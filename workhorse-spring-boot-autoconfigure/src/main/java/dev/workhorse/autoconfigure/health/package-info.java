/**
 * The {@code workhorse} health indicator.
 */
@NullMarked
package dev.workhorse.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
