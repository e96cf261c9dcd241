package dev.workhorse.docs;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;
import dev.workhorse.handler.JobHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

// tag::webhooks[]
@RestController
class GitHubWebhooks {

	private static final Logger logger = LoggerFactory.getLogger(GitHubWebhooks.class);

	private final Queue queue;

	GitHubWebhooks(Queue queue) {
		this.queue = queue;
	}

	@PostMapping("/webhooks/github")
	EnqueueResult receive(@RequestHeader("X-GitHub-Delivery") String delivery, @RequestBody Push push) {
		return this.queue.enqueueWithResult("github.push", push,
				EnqueueOptions.idempotency(Idempotency.key(delivery).scope("github")));
	}

	@JobHandler("github.push")
	void build(Push push) {
		logger.info("Building {} at {}", push.ref(), push.after());
	}

	record Push(String ref, String after) {
	}

}
// end::webhooks[]
