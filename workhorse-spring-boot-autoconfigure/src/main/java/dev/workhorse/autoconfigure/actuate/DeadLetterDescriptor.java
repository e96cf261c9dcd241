package dev.workhorse.autoconfigure.actuate;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.workhorse.operations.DeadLetter;
import org.jspecify.annotations.Nullable;

/**
 * A job that has failed for good. The message is masked unless values are shown.
 *
 * @param id the job
 * @param queue the queue
 * @param type the job type
 * @param attempt how many attempts it had
 * @param failedAt when it failed
 * @param errorType the class of the last exception
 * @param errorMessage its message
 * @param redriveOf the dead letter it was itself to run again
 * @param redrivenAs the jobs that run it again, oldest first
 */
public record DeadLetterDescriptor(UUID id, String queue, String type, int attempt, Instant failedAt,
		@Nullable String errorType, @Nullable Object errorMessage, @Nullable UUID redriveOf, List<UUID> redrivenAs) {

	static DeadLetterDescriptor of(DeadLetter letter, Values values) {
		return new DeadLetterDescriptor(letter.id(), letter.queue(), letter.type(), letter.attempt(), letter.failedAt(),
				letter.errorType(), values.text("error.message", letter.errorMessage()), letter.redriveOf(),
				letter.redrivenAs());
	}

}
