/**
 * An order from reservation to shipping: a durable handler that waits for a payment.
 */
@NullMarked
package dev.workhorse.sample.fulfilment;

import org.jspecify.annotations.NullMarked;
