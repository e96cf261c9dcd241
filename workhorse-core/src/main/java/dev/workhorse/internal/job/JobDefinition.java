package dev.workhorse.internal.job;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is to be run, and how; the same for a new request and a stored one.
 *
 * @param queue the queue
 * @param type the job type
 * @param payload the payload as JSON text
 * @param priority the priority
 * @param concurrencyKey the group, {@code null} for none
 * @param runAt the time asked for, {@code null} for at once
 * @param tags the tags, sorted
 * @param maxAttempts the number of attempts
 * @param retryPolicy the retry policy in its text form
 * @param deadline the time after which no attempt starts, {@code null} for none
 * @param timeoutMillis how long one attempt may take, {@code null} for no bound
 * @param explicit the names of the options the caller gave
 */
public record JobDefinition(String queue, String type, String payload, int priority, @Nullable String concurrencyKey,
		@Nullable Instant runAt, List<String> tags, int maxAttempts, String retryPolicy, @Nullable Instant deadline,
		@Nullable Long timeoutMillis, List<String> explicit) {

}
