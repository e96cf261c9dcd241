package dev.workhorse.operations;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param id the job
 * @param queue the queue
 * @param type the job type
 * @param state where it stands
 * @param priority the priority
 * @param attempt how many attempts have started
 * @param tags the tags, sorted
 * @param createdAt when it was accepted
 * @param runAt when it is due, {@code null} once it has finished
 * @param finishedAt when it finished, {@code null} before that
 */
public record JobSummary(UUID id, String queue, String type, JobState state, int priority, int attempt,
		List<String> tags, Instant createdAt, @Nullable Instant runAt, @Nullable Instant finishedAt) {

}
