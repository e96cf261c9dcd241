package dev.workhorse.sample.fulfilment;

import java.util.List;
import java.util.UUID;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeResult;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Starts the fulfilment of orders, takes the news of payments, and tells how far an order
 * is.
 */
@RestController
final class FulfilmentController {

	private final Conductor conductor;

	private final FulfilmentSteps steps;

	FulfilmentController(Conductor conductor, FulfilmentSteps steps) {
		this.conductor = conductor;
		this.steps = steps;
	}

	@PostMapping("/fulfilments")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Started start(@Valid @RequestBody Purchase purchase) {
		InvokeResult result = this.conductor.invokeWithResult("order.fulfil", purchase,
				InvokeOptions.dedupeKey(purchase.orderId()));
		return new Started(purchase.orderId(), result.jobId(), result.outcome().label());
	}

	@PostMapping("/payments/{orderId}/settled")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Settled settled(@PathVariable String orderId) {
		UUID event = this.conductor.emit("payment.settled", new PaymentSettled(orderId),
				EmitOptions.dedupeKey(orderId));
		return new Settled(orderId, event);
	}

	@GetMapping("/fulfilments/{orderId}")
	Fulfilment look(@PathVariable String orderId) {
		return new Fulfilment(orderId, this.steps.of(orderId));
	}

	/**
	 * A fulfilment that was asked for.
	 *
	 * @param orderId the id of the order
	 * @param jobId the execution
	 * @param outcome what became of the invoke
	 */
	record Started(String orderId, @Nullable UUID jobId, String outcome) {

	}

	/**
	 * A payment that was told.
	 *
	 * @param orderId the id of the order
	 * @param eventId the event
	 */
	record Settled(String orderId, UUID eventId) {

	}

	/**
	 * How far an order is.
	 *
	 * @param orderId the id of the order
	 * @param steps what was done for it, in order
	 */
	record Fulfilment(String orderId, List<String> steps) {

	}

}
