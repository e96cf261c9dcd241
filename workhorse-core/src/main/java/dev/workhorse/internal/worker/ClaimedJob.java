package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.workhorse.handler.EventMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was claimed.
 *
 * @param lease the job and its fence
 * @param queue the queue
 * @param type the job type
 * @param attempt the number of the attempt, from 1
 * @param payload the payload as JSON text
 * @param maxAttempts the number of attempts stored with the job
 * @param retryPolicy the retry policy stored with the job
 * @param explicit the names of the options the caller gave
 * @param limits how long it may take
 * @param origin where it comes from
 */
record ClaimedJob(Lease lease, String queue, String type, int attempt, String payload, int maxAttempts,
		String retryPolicy, List<String> explicit, Limits limits, Origin origin) {

	/**
	 * How long a job may take.
	 *
	 * @param timeout how long one attempt may take, {@code null} for no bound
	 * @param deadline the time after which no attempt starts, {@code null} for none
	 * @param untilDeadline how long that was ahead at the claim
	 */
	record Limits(@Nullable Duration timeout, @Nullable Instant deadline, @Nullable Duration untilDeadline) {

	}

	/**
	 * Where an attempt comes from.
	 *
	 * @param resumed whether it goes on after it was suspended
	 * @param parentId the job whose child it is, {@code null} for none
	 * @param depth how many ancestors it has
	 * @param event the event it was made for, {@code null} for none
	 * @param traceContext the context of the trace of its request as JSON text,
	 * {@code null} for none
	 * @param overdue how long it had been due at the claim
	 */
	record Origin(boolean resumed, @Nullable UUID parentId, int depth, @Nullable EventMetadata event,
			@Nullable String traceContext, Duration overdue) {

	}

}
