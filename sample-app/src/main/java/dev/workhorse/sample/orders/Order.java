package dev.workhorse.sample.orders;

import java.math.BigDecimal;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * What a customer orders. The client chooses the order id, which is what makes a second
 * click recognisable.
 *
 * @param orderId the id of the order
 * @param customer who pays
 * @param amount how much
 */
record Order(@NotBlank @Size(max = 100) String orderId, @NotBlank @Size(max = 200) String customer,
		@NotNull @Positive @Digits(integer = 10, fraction = 2) BigDecimal amount) {

}
