package dev.workhorse.internal.enqueue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.workhorse.KeyMode;
import org.jspecify.annotations.Nullable;

/**
 * A checked request with every default resolved, ready for SQL.
 *
 * @param id the id the job gets if it is accepted
 * @param definition what is to be run, and how
 * @param key the key, {@code null} for none
 * @param content what counts when requests are compared, {@code null} without a key
 * @param traceContext the context of its trace as JSON text, {@code null} for none
 */
record JobRequest(UUID id, JobDefinition definition, @Nullable KeyBinding key, @Nullable RequestContent content,
		@Nullable String traceContext) {

	/**
	 * The mode as it is counted.
	 */
	String modeLabel() {
		return (this.key != null) ? this.key.mode().label() : "none";
	}

	JobRequest inTrace(@Nullable String traceContext) {
		return new JobRequest(this.id, this.definition, this.key, this.content, traceContext);
	}

	boolean isDebounced() {
		return this.key != null && this.key.mode() == KeyMode.DEBOUNCE;
	}

	/**
	 * The request that stands for this one and an earlier one of the same batch, which it
	 * takes the place of.
	 */
	JobRequest after(JobRequest earlier) {
		if (this.key == null || earlier.key == null) {
			return this;
		}
		return new JobRequest(earlier.id, this.definition, this.key.after(earlier.key), this.content,
				this.traceContext);
	}

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
	record JobDefinition(String queue, String type, String payload, int priority, @Nullable String concurrencyKey,
			@Nullable Instant runAt, List<String> tags, int maxAttempts, String retryPolicy, @Nullable Instant deadline,
			@Nullable Long timeoutMillis, List<String> explicit) {

		/**
		 * What counts when this is compared, as held in a mode.
		 */
		RequestContent content(String canonicalPayload, String mode, long windowMillis) {
			RequestField window = (mode.equals(KeyMode.IDEMPOTENCY.label())) ? RequestField.TTL : RequestField.WINDOW;
			return new RequestContent(this.explicit).put(RequestField.QUEUE, this.queue)
				.put(RequestField.TYPE, this.type)
				.putPayload(canonicalPayload)
				.put(RequestField.PRIORITY, this.priority)
				.put(RequestField.CONCURRENCY_KEY, this.concurrencyKey)
				.putTags(this.tags)
				.put(RequestField.RUN_AT, this.runAt)
				.put(RequestField.MAX_ATTEMPTS, this.maxAttempts)
				.put(RequestField.RETRY_POLICY, this.retryPolicy)
				.put(RequestField.DEADLINE, this.deadline)
				.put(RequestField.EXECUTION_TIMEOUT, this.timeoutMillis)
				.put(RequestField.MODE, mode)
				.put(window, windowMillis);
		}

	}

}
