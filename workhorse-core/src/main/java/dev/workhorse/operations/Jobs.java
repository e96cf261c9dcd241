package dev.workhorse.operations;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks at the job store. Reads are committed data as of the call; inside a transaction
 * on the same {@code DataSource} they see its own writes. Safe for use by any number of
 * threads.
 */
public interface Jobs {

	/** Counting stops here, so that a long backlog does not make looking at it slow. */
	int COUNT_LIMIT = 100_000;

	/**
	 * Find a job.
	 * @param jobId the job
	 * @return the job, or nothing if there is none or retention has removed it
	 */
	Optional<JobDetails> find(UUID jobId);

	/**
	 * Count the live jobs by queue and state.
	 * @return the counts, sorted by queue; {@link #COUNT_LIMIT} jobs at the most are
	 * looked at
	 */
	List<QueueCount> countLive();

	/**
	 * Count the finished jobs that are still stored.
	 * @return the number by state, each counted up to {@link #COUNT_LIMIT}
	 */
	Map<JobState, Long> countFinished();

	/**
	 * List the nodes that run jobs.
	 * @return the nodes, also those that died within the last day
	 */
	List<WorkerNode> workers();

	/**
	 * List the keys that are held, the latest first.
	 * @param most how many to list at the most, 1 to 1,000
	 * @return the keys
	 */
	List<LiveKey> liveKeys(int most);

}
