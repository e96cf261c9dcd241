package dev.workhorse.operations;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Looks at the job store and acts on single jobs, keys and queues. What changes something
 * notes who did it and why, and joins the caller's transaction. Reads are committed data
 * as of the call; inside a transaction on the same {@code DataSource} they see its own
 * writes. Safe for use by any number of threads.
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
	 * Tell what happened to a job and its key, in order. The ordinary path is read off
	 * the job's rows; absorbed duplicates are counted in the metrics and not listed.
	 * @param jobId the job
	 * @return the entries, oldest first; only the note that it was purged for a purged
	 * job
	 */
	List<TimelineEntry> timeline(UUID jobId);

	/**
	 * List jobs, the latest first.
	 * @param filter which ones
	 * @param after the {@code next} of the page before, {@code null} for the first page
	 * @param most how many to list at the most, 1 to 1,000
	 * @return a page; 10,000 jobs at the most are looked at
	 */
	Page<JobSummary> list(JobFilter filter, @Nullable String after, int most);

	/**
	 * Count the live jobs by queue and state.
	 * @return the counts, sorted by queue; the ready ones of each queue, and those of
	 * each other state, are counted up to {@link #COUNT_LIMIT}
	 */
	List<QueueCount> countLive();

	/**
	 * Count the finished jobs that are still stored.
	 * @return the number by state, each counted up to {@link #COUNT_LIMIT}
	 */
	Map<JobState, Long> countFinished();

	/**
	 * Counts for meters. They are taken by one node for all of them: by the first that
	 * finds the latest ones older than it wants them.
	 * @param maxAge how old they may be
	 * @return the counts, each up to {@link #COUNT_LIMIT}; older ones, or none, while
	 * another node is taking them
	 */
	JobStatistics statistics(Duration maxAge);

	/**
	 * List the nodes that run jobs.
	 * @return the nodes, also those that died within the last day
	 */
	List<WorkerNode> workers();

	/**
	 * List the keys that are held, those that hold longest first.
	 * @param most how many to list at the most, 1 to 1,000
	 * @return the keys
	 */
	List<LiveKey> liveKeys(int most);

	/**
	 * List the keys that are held, those that hold longest first.
	 * @param scope only those of a scope, {@code null} for all
	 * @param after the {@code next} of the page before, {@code null} for the first page
	 * @param most how many to list at the most, 1 to 1,000
	 * @return a page; 10,000 keys at the most are looked at
	 */
	Page<LiveKey> liveKeys(@Nullable String scope, @Nullable String after, int most);

	/**
	 * Tell who holds an enqueue key, and what each kind of request would get now.
	 * @param scope the scope
	 * @param key the raw key, which is hashed and not kept
	 * @return the explanation, also for a key that is free
	 */
	KeyExplanation explain(String scope, String key);

	/**
	 * Free an enqueue key at once: the next request with it is accepted. The job that
	 * held it goes on.
	 * @param scope the scope
	 * @param key the raw key, which is hashed and not kept
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return whether the key was held
	 */
	boolean release(String scope, String key, String by, String reason);

	/**
	 * Free the enqueue key that a job holds, for those who do not know the key.
	 * @param jobId the job
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return whether it held a key
	 */
	boolean releaseKeyOf(UUID jobId, String by, String reason);

	/**
	 * Free the enqueue key with a digest, for those who do not know the key.
	 * @param scope the scope
	 * @param digest the first 12 hex characters of the hash, or more
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return whether the key was held, and is the only one with that digest
	 */
	boolean releaseDigest(String scope, String digest, String by, String reason);

	/**
	 * Cancel a job, and with it the children that are to be cancelled with their parent.
	 * One that waits to run, or whose handler is suspended, is cancelled at once, and if
	 * it never started, its key is free. The handler of a running one is told by the next
	 * heartbeat, see {@code JobContext.isCancelled()}; the first end that is stored
	 * counts, and repeats keep the first reason.
	 * @param jobId the job
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return what became of it
	 */
	CancelOutcome cancel(UUID jobId, String by, String reason);

	/**
	 * Cancel a job as {@link #cancel(UUID, String, String)} does, and interrupt the
	 * thread of a running handler.
	 * @param jobId the job
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return what became of it
	 */
	CancelOutcome cancelAndInterrupt(UUID jobId, String by, String reason);

	/**
	 * Make a scheduled job due at once. A debounced job gives up its key. A suspended job
	 * goes on, too: its sleep is over, while it waits on for a child or an event.
	 * @param jobId the job
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return whether the job was scheduled or suspended
	 */
	boolean runNow(UUID jobId, String by, String reason);

	/**
	 * Remove all jobs of a queue that wait to run or are suspended, with the keys they
	 * hold, and cancel the children that are to be cancelled with them. Running jobs go
	 * on. Outside a transaction it works in bounded batches, each committed by itself.
	 * @param queue the queue
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return how many jobs were removed
	 */
	long purge(String queue, String by, String reason);

	/**
	 * Pause a queue: running jobs go on, none is claimed until it is resumed. Jobs are
	 * accepted as before.
	 * @param queue the queue
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return whether it was not paused before
	 */
	boolean pause(String queue, String by, String reason);

	/**
	 * Resume a paused queue.
	 * @param queue the queue
	 * @return whether it was paused
	 */
	boolean resume(String queue);

	/**
	 * List the paused queues.
	 * @return the queues, sorted by name
	 */
	List<PausedQueue> pausedQueues();

	/**
	 * List who subscribes to which events.
	 * @return the subscriptions, also those that were ended, sorted by event and type
	 */
	List<DeclaredSubscription> subscriptions();

	/**
	 * End a subscription that no deployment declares any more: its type gets no jobs for
	 * events that are dispatched from now on. Jobs that were made stay. A node that
	 * declares it at its start begins it again.
	 * @param event the event's name
	 * @param type the job type
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return whether there was such a subscription and it had not ended
	 */
	boolean endSubscription(String event, String type, String by, String reason);

	/**
	 * Count the due jobs that no living node would take.
	 * @return the counts, sorted by queue and type
	 */
	List<UnhandledType> unhandledTypes();

	/**
	 * List dead letters, the latest first.
	 * @param filter which ones
	 * @param after the {@code next} of the page before, {@code null} for the first page
	 * @param most how many to list at the most, 1 to 1,000
	 * @return a page; 10,000 dead letters at the most are looked at
	 */
	Page<DeadLetter> deadLetters(DeadLetterFilter filter, @Nullable String after, int most);

	/**
	 * Run a dead letter again as a new job with the same payload and options but for the
	 * deadline. The dead letter stays as it is, and so does the enqueue key it holds.
	 * @param jobId the dead letter
	 * @param requestId identifies this request for at least 14 days: the same id answers
	 * with the same new job; 1 to 512 UTF-8 bytes
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @return the new job
	 * @throws NotADeadLetterException if the job has not failed
	 * @throws dev.workhorse.EnqueueIdempotencyConflictException if the request id was
	 * used for another job
	 */
	Redrive redrive(UUID jobId, String requestId, String by, String reason);

	/**
	 * Run all dead letters of a filter again that have not been run again yet. Each is a
	 * request of its own, so a repeat with the same request id goes on where it ended.
	 * @param filter which ones
	 * @param requestId identifies this request, 1 to 256 UTF-8 bytes
	 * @param by who does it, 1 to 256 UTF-8 bytes
	 * @param reason why, 1 to 256 UTF-8 bytes
	 * @param dryRun whether to count only
	 * @return how many were, or would be, run again
	 */
	long redriveAll(DeadLetterFilter filter, String requestId, String by, String reason, boolean dryRun);

}
