package dev.workhorse.sample.updates;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.sample.updates.UpdateService.OrderStatus;
import dev.workhorse.sample.updates.UpdateService.Product;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes changes over HTTP and says what became of the one before.
 */
@RestController
@ResponseStatus(HttpStatus.ACCEPTED)
final class UpdateController {

	private final UpdateService updates;

	UpdateController(UpdateService updates) {
		this.updates = updates;
	}

	@PostMapping("/order-status")
	Invoked status(@Valid @RequestBody OrderStatus status,
			@RequestParam(defaultValue = "0s") @DurationFormat(style = DurationFormat.Style.SIMPLE) Duration delay) {
		return Invoked.of(this.updates.status(status, delay));
	}

	@PostMapping("/customers/{customer}/sync")
	Invoked sync(@PathVariable String customer) {
		return Invoked.of(this.updates.sync(customer));
	}

	@PostMapping("/products")
	Invoked index(@Valid @RequestBody Product product) {
		return Invoked.of(this.updates.index(product));
	}

	/**
	 * The answer.
	 *
	 * @param jobId the job that stands for the request, {@code null} if it was throttled
	 * @param outcome {@code created}, {@code updated}, {@code superseded},
	 * {@code retained} or {@code throttled}
	 */
	record Invoked(@Nullable UUID jobId, String outcome) {

		static Invoked of(InvokeResult result) {
			return new Invoked(result.jobId(), result.outcome().label());
		}

	}

}
