package dev.workhorse.sample.webhooks;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells what the handlers have done.
 */
@RestController
final class SummaryController {

	private final HandledDeliveries handled;

	SummaryController(HandledDeliveries handled) {
		this.handled = handled;
	}

	@GetMapping("/summary")
	Summary summary() {
		return Summary.of(this.handled.all());
	}

}
