package dev.workhorse.sample.fulfilment;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * What is bought.
 *
 * @param orderId the id of the order
 * @param article what
 * @param quantity how many
 */
record Purchase(@NotBlank @Size(max = 100) String orderId, @NotBlank @Size(max = 200) String article,
		@Positive int quantity) {

}
