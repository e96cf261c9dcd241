package dev.workhorse.handler;

import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of one type. What {@link JobHandler} methods become; implement it
 * directly to register a handler without Spring.
 */
@FunctionalInterface
public interface Handler {

	/**
	 * Run one attempt.
	 * @param payload the payload, read as the declared type
	 * @param context the running attempt
	 * @return the result to store, or {@code null} for none
	 * @throws Exception if the attempt failed
	 */
	@Nullable Object handle(@Nullable Object payload, JobContext context) throws Exception;

}
