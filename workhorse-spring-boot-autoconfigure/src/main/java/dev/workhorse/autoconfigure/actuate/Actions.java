package dev.workhorse.autoconfigure.actuate;

import java.util.Locale;
import java.util.UUID;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.NotADeadLetterException;
import dev.workhorse.operations.Redrive;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * What can be done through the endpoint.
 */
final class Actions {

	private static final String NOTHING = "nothing-to-do";

	private final Jobs jobs;

	Actions(Jobs jobs) {
		this.jobs = jobs;
	}

	/**
	 * Do something to a job.
	 * @return what became of it, {@code null} if there is no such job
	 */
	@Nullable ActionDescriptor onJob(UUID job, ActionRequest request) {
		if (this.jobs.find(job).isEmpty()) {
			return null;
		}
		return switch (request.action()) {
			case "cancel" -> outcome(request, cancel(job, request).name().toLowerCase(Locale.ROOT).replace('_', '-'));
			case "run-now" ->
				outcome(request, (this.jobs.runNow(job, request.by(), request.reason())) ? "made-ready" : NOTHING);
			case "release-key" ->
				outcome(request, (this.jobs.releaseKeyOf(job, request.by(), request.reason())) ? "released" : NOTHING);
			case "redrive" -> redrive(job, request);
			default -> throw unknown(request, "cancel, run-now, release-key or redrive");
		};
	}

	private CancelOutcome cancel(UUID job, ActionRequest request) {
		return (request.interrupt()) ? this.jobs.cancelAndInterrupt(job, request.by(), request.reason())
				: this.jobs.cancel(job, request.by(), request.reason());
	}

	private ActionDescriptor redrive(UUID job, ActionRequest request) {
		String requestId = (request.requestId() != null) ? request.requestId() : "endpoint/" + job;
		try {
			Redrive redrive = this.jobs.redrive(job, requestId, request.by(), request.reason());
			return new ActionDescriptor(request.action(), (redrive.created()) ? "created" : "repeated", request.by(),
					redrive.jobId(), null);
		}
		catch (NotADeadLetterException ex) {
			return outcome(request, "not-a-dead-letter");
		}
		catch (EnqueueIdempotencyConflictException ex) {
			return outcome(request, "request-id-of-another-job");
		}
	}

	ActionDescriptor onQueue(String queue, ActionRequest request) {
		return switch (request.action()) {
			case "pause" ->
				outcome(request, (this.jobs.pause(queue, request.by(), request.reason())) ? "paused" : NOTHING);
			case "resume" -> outcome(request, (this.jobs.resume(queue)) ? "resumed" : NOTHING);
			case "purge" -> new ActionDescriptor(request.action(), "purged", request.by(), null,
					this.jobs.purge(queue, request.by(), request.reason()));
			default -> throw unknown(request, "pause, resume or purge");
		};
	}

	ActionDescriptor onScope(String scope, ActionRequest request) {
		if (!"release-key".equals(request.action())) {
			throw unknown(request, "release-key");
		}
		if (request.digest() == null) {
			throw new InvalidEndpointRequestException("No digest", "Pass the 'digest' of the key");
		}
		boolean released = this.jobs.releaseDigest(scope, request.digest(), request.by(), request.reason());
		return outcome(request, (released) ? "released" : NOTHING);
	}

	private static ActionDescriptor outcome(ActionRequest request, String outcome) {
		return new ActionDescriptor(request.action(), outcome, request.by(), null, null);
	}

	private static InvalidEndpointRequestException unknown(ActionRequest request, String known) {
		return new InvalidEndpointRequestException("Unknown action '" + request.action() + "'",
				"'action' must be " + known);
	}

}
