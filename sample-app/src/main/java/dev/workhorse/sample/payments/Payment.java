package dev.workhorse.sample.payments;

import java.math.BigDecimal;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * What the payment provider reports.
 *
 * @param orderId the order that was paid
 * @param amount how much was paid
 */
record Payment(@NotBlank @Size(max = 100) String orderId,
		@NotNull @Positive @Digits(integer = 10, fraction = 2) BigDecimal amount) {

}
