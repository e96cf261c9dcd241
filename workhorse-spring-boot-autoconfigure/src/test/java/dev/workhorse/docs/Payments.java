package dev.workhorse.docs;

import java.math.BigDecimal;
import java.util.UUID;

/**
 * Stands for a payment provider.
 */
interface Payments {

	InvoiceHandlers.Receipt charge(UUID idempotencyKey, BigDecimal amount);

	void refund(UUID idempotencyKey, BigDecimal amount);

	void mail(String number);

	boolean isBusy();

}
