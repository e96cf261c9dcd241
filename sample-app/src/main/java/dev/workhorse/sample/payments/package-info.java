/**
 * Payments: an event that commits with the payment, and two handlers that subscribe.
 */
@NullMarked
package dev.workhorse.sample.payments;

import org.jspecify.annotations.NullMarked;
