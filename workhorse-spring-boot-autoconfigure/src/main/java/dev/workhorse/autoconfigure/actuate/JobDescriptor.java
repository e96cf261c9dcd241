package dev.workhorse.autoconfigure.actuate;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobDetails.AttemptError;
import dev.workhorse.operations.TimelineEntry;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A job and what happened to it. Payload, result and messages are masked unless values
 * are shown.
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
 * @param runAt when it is due, if it has not finished
 * @param startedAt when its last attempt started
 * @param finishedAt when it finished
 * @param redriveOf the dead letter it runs again
 * @param payload the payload
 * @param result the result
 * @param errors the errors of its attempts, oldest first
 * @param timeline what happened to it and its key, oldest first
 */
public record JobDescriptor(UUID id, String queue, String type, String state, int priority, int attempt,
		int maxAttempts, List<String> tags, Instant createdAt, @Nullable Instant runAt, @Nullable Instant startedAt,
		@Nullable Instant finishedAt, @Nullable UUID redriveOf, @Nullable Object payload, @Nullable Object result,
		List<ErrorDescriptor> errors, List<EntryDescriptor> timeline) implements OperationResponseBody {

	static JobDescriptor of(JobDetails job, List<TimelineEntry> timeline, Values values) {
		return new JobDescriptor(job.id(), job.queue(), job.type(), job.state().label(), job.priority(), job.attempt(),
				job.maxAttempts(), job.tags(), job.createdAt(), job.runAt(), job.startedAt(), job.finishedAt(),
				job.redriveOf(), values.json("payload", job.payload()), values.json("result", job.result()),
				job.errors().stream().map((error) -> ErrorDescriptor.of(error, values)).toList(),
				timeline.stream().map((entry) -> EntryDescriptor.of(entry, values)).toList());
	}

	/**
	 * The error of one attempt.
	 *
	 * @param attempt the number of the attempt
	 * @param at when it was stored
	 * @param kind what happened
	 * @param type the class of the exception
	 * @param message its message
	 * @param stack its stack trace
	 */
	public record ErrorDescriptor(int attempt, Instant at, String kind, @Nullable String type, @Nullable Object message,
			@Nullable Object stack) {

		static ErrorDescriptor of(AttemptError error, Values values) {
			return new ErrorDescriptor(error.attempt(), error.at(), error.kind(), error.type(),
					values.text("error.message", error.message()), values.text("error.stack", error.stack()));
		}

	}

	/**
	 * One thing that happened to the job or its key.
	 *
	 * @param at when
	 * @param kind what
	 * @param attempt the attempt it belongs to
	 * @param by who did it
	 * @param reason why, or the message of an error
	 */
	public record EntryDescriptor(Instant at, String kind, @Nullable Integer attempt, @Nullable String by,
			@Nullable Object reason) {

		static EntryDescriptor of(TimelineEntry entry, Values values) {
			// without a person it is the message of an exception, or a count
			boolean message = entry.by() == null && entry.attempt() != null;
			return new EntryDescriptor(entry.at(), entry.kind(), entry.attempt(), entry.by(),
					(message) ? values.text("error.message", entry.reason()) : entry.reason());
		}

	}

}
