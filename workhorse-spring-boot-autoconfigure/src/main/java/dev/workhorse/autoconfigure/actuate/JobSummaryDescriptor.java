package dev.workhorse.autoconfigure.actuate;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.workhorse.operations.JobSummary;
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
 * @param runAt when it is due, if it has not finished
 * @param finishedAt when it finished
 */
public record JobSummaryDescriptor(UUID id, String queue, String type, String state, int priority, int attempt,
		List<String> tags, Instant createdAt, @Nullable Instant runAt, @Nullable Instant finishedAt) {

	static JobSummaryDescriptor of(JobSummary job) {
		return new JobSummaryDescriptor(job.id(), job.queue(), job.type(), job.state().label(), job.priority(),
				job.attempt(), job.tags(), job.createdAt(), job.runAt(), job.finishedAt());
	}

}
