package dev.workhorse.handler;

import java.util.UUID;

/**
 * The running attempt, as its handler sees it. Valid until the handler returns.
 */
public interface JobContext {

	/**
	 * The job's id, the same for every attempt; a good idempotency key for external
	 * calls.
	 * @return the job's id
	 */
	UUID jobId();

	/**
	 * The job's type.
	 * @return the type
	 */
	String type();

	/**
	 * The queue the job was taken from.
	 * @return the queue
	 */
	String queue();

	/**
	 * Which attempt this is.
	 * @return the number of the attempt, from 1
	 */
	int attempt();

	/**
	 * The last attempt the job gets.
	 * @return the number of attempts
	 */
	int maxAttempts();

	/**
	 * Whether this attempt has lost its lease to another one, for example because this
	 * node could not reach the database for too long. Its result will be refused, so a
	 * long handler may stop early. Known by the next heartbeat at the latest.
	 * @return whether the lease is lost
	 */
	boolean isLeaseLost();

}
