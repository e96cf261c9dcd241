package dev.workhorse.sample.payments;

import java.util.List;
import java.util.UUID;

import jakarta.validation.Valid;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes what the payment provider reports, which may report it more than once.
 */
@RestController
final class PaymentController {

	private final PaymentService payments;

	PaymentController(PaymentService payments) {
		this.payments = payments;
	}

	@PostMapping("/payments")
	@ResponseStatus(HttpStatus.ACCEPTED)
	PaymentTaken take(@Valid @RequestBody Payment payment) {
		return new PaymentTaken(payment.orderId(), this.payments.pay(payment));
	}

	@GetMapping("/payments/{orderId}/effects")
	List<String> effects(@PathVariable String orderId) {
		return this.payments.effects(orderId);
	}

	/**
	 * The answer, the same for a repeat.
	 *
	 * @param orderId the order that was paid
	 * @param eventId the event that tells of it
	 */
	record PaymentTaken(String orderId, UUID eventId) {

	}

}
