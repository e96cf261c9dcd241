package dev.workhorse.sample.webhooks;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Handles a delivery: does some work, then notes that it was done.
 */
@Component
final class GitHubDeliveryHandler {

	private final HandledDeliveries handled;

	private final Duration handlingTime;

	GitHubDeliveryHandler(HandledDeliveries handled, @Value("${sample.handling-time}") Duration handlingTime) {
		this.handled = handled;
		this.handlingTime = handlingTime;
	}

	@JobHandler("github.delivery")
	void handle(GitHubDelivery delivery, JobContext job) {
		// stands for the work of a real handler: calling an API, building a project
		LockSupport.parkNanos(this.handlingTime.toNanos());
		this.handled.add(job.jobId(), delivery);
	}

}
