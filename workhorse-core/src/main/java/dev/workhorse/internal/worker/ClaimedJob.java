package dev.workhorse.internal.worker;

import java.util.List;

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
 */
record ClaimedJob(Lease lease, String queue, String type, int attempt, String payload, int maxAttempts,
		String retryPolicy, List<String> explicit) {

}
