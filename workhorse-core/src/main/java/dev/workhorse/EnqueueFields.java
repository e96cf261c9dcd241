package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What the caller gave, {@code null} where omitted.
 */
public final class EnqueueFields {

	private final @Nullable KeyUse key;

	@Nullable String queue;

	@Nullable Integer priority;

	@Nullable String concurrencyKey;

	@Nullable Instant runAt;

	@Nullable List<String> tags;

	@Nullable Integer maxAttempts;

	@Nullable RetryPolicy retryPolicy;

	@Nullable Instant deadline;

	@Nullable Duration executionTimeout;

	EnqueueFields(@Nullable KeyUse key) {
		this.key = key;
	}

	// changed before it is handed out, never after
	EnqueueFields copy() {
		EnqueueFields copy = new EnqueueFields(this.key);
		copy.queue = this.queue;
		copy.priority = this.priority;
		copy.concurrencyKey = this.concurrencyKey;
		copy.runAt = this.runAt;
		copy.tags = this.tags;
		copy.maxAttempts = this.maxAttempts;
		copy.retryPolicy = this.retryPolicy;
		copy.deadline = this.deadline;
		copy.executionTimeout = this.executionTimeout;
		return copy;
	}

	/**
	 * What a key is used for.
	 * @return the use of the key
	 */
	public @Nullable KeyUse key() {
		return this.key;
	}

	/**
	 * The queue.
	 * @return the queue
	 */
	public @Nullable String queue() {
		return this.queue;
	}

	/**
	 * The priority.
	 * @return the priority
	 */
	public @Nullable Integer priority() {
		return this.priority;
	}

	/**
	 * The group.
	 * @return the concurrency key
	 */
	public @Nullable String concurrencyKey() {
		return this.concurrencyKey;
	}

	/**
	 * The time to run at.
	 * @return the time in whole microseconds
	 */
	public @Nullable Instant runAt() {
		return this.runAt;
	}

	/**
	 * The tags.
	 * @return the tags, sorted
	 */
	public @Nullable List<String> tags() {
		return this.tags;
	}

	/**
	 * The number of attempts.
	 * @return the number
	 */
	public @Nullable Integer maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * The delay between attempts.
	 * @return the policy
	 */
	public @Nullable RetryPolicy retryPolicy() {
		return this.retryPolicy;
	}

	/**
	 * The time after which no attempt starts.
	 * @return the time in whole microseconds
	 */
	public @Nullable Instant deadline() {
		return this.deadline;
	}

	/**
	 * How long one attempt may take.
	 * @return the timeout
	 */
	public @Nullable Duration executionTimeout() {
		return this.executionTimeout;
	}

	@Override
	public String toString() {
		Map<String, Object> given = new TreeMap<>();
		putIfGiven(given, "key", this.key);
		putIfGiven(given, "queue", this.queue);
		putIfGiven(given, "priority", this.priority);
		putIfGiven(given, "concurrencyKey", this.concurrencyKey);
		putIfGiven(given, "runAt", this.runAt);
		putIfGiven(given, "tags", this.tags);
		putIfGiven(given, "maxAttempts", this.maxAttempts);
		putIfGiven(given, "retryPolicy", this.retryPolicy);
		putIfGiven(given, "deadline", this.deadline);
		putIfGiven(given, "executionTimeout", this.executionTimeout);
		return given.toString();
	}

	private static void putIfGiven(Map<String, Object> given, String name, @Nullable Object value) {
		if (value != null) {
			given.put(name, value);
		}
	}

}
