package dev.workhorse.internal.enqueue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A checked request with every default resolved, ready for SQL.
 *
 * @param id the id the job gets if it is accepted
 * @param queue the queue
 * @param type the job type
 * @param payload the payload as JSON text
 * @param priority the priority
 * @param runAt the time asked for, {@code null} for at once
 * @param tags the tags, sorted
 * @param maxAttempts the number of attempts
 * @param retryPolicy the retry policy in its text form
 * @param explicit the names of the options the caller gave
 * @param key the key, {@code null} for none
 * @param content what counts when requests are compared, {@code null} without a key
 */
record JobRequest(UUID id, String queue, String type, String payload, int priority, @Nullable Instant runAt,
		List<String> tags, int maxAttempts, String retryPolicy, List<String> explicit, @Nullable KeyBinding key,
		@Nullable RequestContent content) {

	/**
	 * The mode as it is counted.
	 */
	String modeLabel() {
		return (this.key != null) ? this.key.mode().label() : "none";
	}

}
