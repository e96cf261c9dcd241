package dev.workhorse.operations;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A job that has failed for good.
 *
 * @param id the job
 * @param queue the queue
 * @param type the job type
 * @param attempt how many attempts it had
 * @param failedAt when it failed
 * @param errorType the class of the last exception
 * @param errorMessage its message, bounded
 * @param redriveOf the dead letter it was itself to run again, {@code null} for none
 * @param redrivenAs the jobs that run it again, oldest first
 */
public record DeadLetter(UUID id, String queue, String type, int attempt, Instant failedAt, @Nullable String errorType,
		@Nullable String errorMessage, @Nullable UUID redriveOf, List<UUID> redrivenAs) {

}
