package dev.workhorse.operations;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A job as it stands now.
 *
 * @param id the job
 * @param queue the queue
 * @param type the job type
 * @param state where it stands
 * @param priority the priority
 * @param attempt how many attempts have started
 * @param maxAttempts how many attempts were asked for
 * @param tags the tags, sorted
 * @param createdAt when it was accepted
 * @param runAt when it is due, or was, if it has not finished
 * @param startedAt when its last attempt started
 * @param finishedAt when it finished
 * @param payload the payload as JSON text
 * @param result the result as JSON text
 * @param redriveOf the dead letter it runs again, {@code null} for none
 * @param parentId the job whose child it is, {@code null} for none
 * @param progress the latest progress its handler has told, as JSON text
 * @param errors the errors of its attempts, oldest first
 */
public record JobDetails(UUID id, String queue, String type, JobState state, int priority, int attempt, int maxAttempts,
		List<String> tags, Instant createdAt, @Nullable Instant runAt, @Nullable Instant startedAt,
		@Nullable Instant finishedAt, String payload, @Nullable String result, @Nullable UUID redriveOf,
		@Nullable UUID parentId, @Nullable String progress, List<AttemptError> errors) {

	/**
	 * The same with the errors of its attempts.
	 * @param errors the errors, oldest first
	 * @return a copy with the errors
	 */
	public JobDetails withErrors(List<AttemptError> errors) {
		return new JobDetails(this.id, this.queue, this.type, this.state, this.priority, this.attempt, this.maxAttempts,
				this.tags, this.createdAt, this.runAt, this.startedAt, this.finishedAt, this.payload, this.result,
				this.redriveOf, this.parentId, this.progress, errors);
	}

	/**
	 * The error of one attempt.
	 *
	 * @param attempt the number of the attempt
	 * @param at when it was stored
	 * @param kind what happened: {@code attempt-failed}, {@code lease-expired} or
	 * {@code attempt-released}
	 * @param type the class of the exception
	 * @param message its message, bounded
	 * @param stack its stack trace, bounded
	 */
	public record AttemptError(int attempt, Instant at, String kind, @Nullable String type, @Nullable String message,
			@Nullable String stack) {

	}

}
