package dev.workhorse.sample.fulfilment;

/**
 * The event that a payment has arrived.
 *
 * @param orderId the order it is for
 */
record PaymentSettled(String orderId) {

}
