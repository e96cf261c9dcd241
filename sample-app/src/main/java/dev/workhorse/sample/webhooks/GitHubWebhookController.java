package dev.workhorse.sample.webhooks;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Receives webhooks. GitHub gives a delivery an id, sends the same id again on a
 * redelivery, and wants an answer within seconds: so the delivery id is the key, and the
 * work is left to a job.
 */
@RestController
final class GitHubWebhookController {

	/** GitHub redelivers for three days; remember some more. */
	private static final Duration REMEMBERED = Duration.ofDays(7);

	private final Queue queue;

	GitHubWebhookController(Queue queue) {
		this.queue = queue;
	}

	@PostMapping("/webhooks/github")
	@ResponseStatus(HttpStatus.ACCEPTED)
	DeliveryTaken take(@RequestHeader("X-GitHub-Delivery") String delivery,
			@RequestHeader("X-GitHub-Event") String event, @RequestBody ObjectNode body) {
		Idempotency once = Idempotency.key(delivery).scope("github").ttl(REMEMBERED);
		EnqueueResult result = this.queue.enqueueWithResult("github.delivery", GitHubDelivery.of(event, body),
				EnqueueOptions.idempotency(once));
		return new DeliveryTaken(result.jobId(), result.outcome().label());
	}

	/**
	 * The answer.
	 *
	 * @param jobId the job that handles the delivery
	 * @param outcome {@code accepted} or {@code replayed}
	 */
	record DeliveryTaken(UUID jobId, String outcome) {

	}

}
