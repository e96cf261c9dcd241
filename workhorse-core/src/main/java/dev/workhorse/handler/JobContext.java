package dev.workhorse.handler;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

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

	/**
	 * Whether an invoke with the same dedupe key has taken the place of this execution,
	 * which has failed thereby: its result will be refused, so a long handler may stop
	 * early. Known at once if the invoke came from the same process, else by the next
	 * heartbeat at the latest. The lease of a superseded execution is lost, too.
	 * @return whether it is superseded
	 */
	boolean isSuperseded();

	/**
	 * Whether somebody has asked for the job to be cancelled. A handler that then throws
	 * ends the job as cancelled; one that returns all the same has succeeded. Known by
	 * the next heartbeat at the latest.
	 * @return whether the job is to be cancelled
	 */
	boolean isCancelled();

	/**
	 * The time after which no further attempt starts.
	 * @return the deadline, or {@code null} for none
	 */
	@Nullable Instant deadline();

}
