/**
 * A small shop that captures invoices and receives webhooks, each exactly once accepted.
 * Read {@code orders} first, then {@code webhooks}; {@code feed} plays the outside world.
 */
@NullMarked
package dev.workhorse.sample;

import org.jspecify.annotations.NullMarked;
