package dev.workhorse.sample.orders;

import java.util.UUID;

import dev.workhorse.EnqueueResult;
import jakarta.validation.Valid;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes orders over HTTP. A double click gets the same answer twice but for the outcome.
 */
@RestController
final class OrderController {

	private final OrderService orders;

	OrderController(OrderService orders) {
		this.orders = orders;
	}

	@PostMapping("/orders")
	@ResponseStatus(HttpStatus.ACCEPTED)
	OrderPlaced place(@Valid @RequestBody Order order) {
		EnqueueResult result = this.orders.place(order);
		return new OrderPlaced(order.orderId(), result.jobId(), result.outcome().label());
	}

	/**
	 * The answer.
	 *
	 * @param orderId the id of the order
	 * @param jobId the job that captures the invoice
	 * @param outcome {@code accepted} or {@code replayed}
	 */
	record OrderPlaced(String orderId, UUID jobId, String outcome) {

	}

}
