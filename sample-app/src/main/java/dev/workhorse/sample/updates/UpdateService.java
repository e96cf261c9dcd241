package dev.workhorse.sample.updates;

import java.time.Duration;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeResult;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/**
 * Asks for work about things that change.
 */
@Service
class UpdateService {

	private static final Duration ONE_SYNC_PER = Duration.ofMinutes(1);

	private final Conductor conductor;

	private final Duration indexSlot;

	UpdateService(Conductor conductor, @Value("${sample.index-slot}") Duration indexSlot) {
		this.conductor = conductor;
		this.indexSlot = indexSlot;
	}

	/**
	 * Tell the world how an order stands. Only the latest status matters.
	 * @param status the status
	 * @param delay how long a later status may still take its place
	 * @return what became of the update before
	 */
	InvokeResult status(OrderStatus status, Duration delay) {
		InvokeOptions.Schedulable order = InvokeOptions.dedupeKey(status.orderId());
		return this.conductor.invokeWithResult("order.status", status, (delay.isZero()) ? order : order.delay(delay));
	}

	/**
	 * Synchronise a customer, at most once in a minute while the last sync is pending or
	 * running.
	 * @param customer the customer
	 * @return whether this request made it run
	 */
	InvokeResult sync(String customer) {
		return this.conductor.invokeWithResult("customer.sync", customer,
				InvokeOptions.throttle(ONE_SYNC_PER, customer));
	}

	/**
	 * Index a product at the end of the current slot, with its latest name.
	 * @param product the product
	 * @return the execution that will index it
	 */
	InvokeResult index(Product product) {
		return this.conductor.invokeWithResult("search.index", product,
				InvokeOptions.debounce(this.indexSlot, product.productId()));
	}

	/**
	 * How an order stands.
	 *
	 * @param orderId the order
	 * @param status how it stands
	 */
	record OrderStatus(@NotBlank @Size(max = 100) String orderId, @NotBlank @Size(max = 100) String status) {

	}

	/**
	 * A product as customers find it.
	 *
	 * @param productId the product
	 * @param name what it is called
	 */
	record Product(@NotBlank @Size(max = 100) String productId, @NotBlank @Size(max = 200) String name) {

	}

}
