package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * How a job is accepted and run. Immutable: every method returns a copy. Start with one
 * of the static methods, which decides what a key is used for, then add what differs from
 * the defaults. A field that is left out takes its default, and leaving it out is not
 * held against a repeat: naming the default and omitting it are the same request.
 */
public sealed class EnqueueOptions permits EnqueueOptions.Schedulable {

	/** The queue used when none is given. */
	public static final String DEFAULT_QUEUE = "default";

	/** The priority used when none is given. */
	public static final int DEFAULT_PRIORITY = 0;

	private final EnqueueFields fields;

	private EnqueueOptions(EnqueueFields fields) {
		this.fields = fields;
	}

	/**
	 * Options for a job without a key: every request creates a job.
	 * @return the options
	 */
	public static Schedulable defaults() {
		return new Schedulable(new EnqueueFields(null));
	}

	/**
	 * Options for a job that is accepted once.
	 * @param idempotency the key and its ttl
	 * @return the options
	 */
	public static Schedulable idempotency(Idempotency idempotency) {
		return new Schedulable(new EnqueueFields(idempotency));
	}

	/**
	 * Options for a job that is accepted once by a key in the default scope.
	 * @param key the key, 1 to 512 UTF-8 bytes
	 * @return the options
	 */
	public static Schedulable idempotencyKey(String key) {
		return idempotency(Idempotency.key(key));
	}

	/**
	 * Options for a job that is accepted once in each window.
	 * @param throttle the key and its window
	 * @return the options
	 */
	public static Schedulable throttle(Throttle throttle) {
		return new Schedulable(new EnqueueFields(throttle));
	}

	/**
	 * Options for a job that gathers the requests of a window. Its time of running
	 * follows from the window.
	 * @param debounce the key and its window
	 * @return the options
	 */
	public static EnqueueOptions debounce(Debounce debounce) {
		return new EnqueueOptions(new EnqueueFields(debounce));
	}

	/**
	 * Put the job into a queue.
	 * @param queue the queue, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the queue
	 */
	public EnqueueOptions queue(String queue) {
		EnqueueFields changed = this.fields.copy();
		changed.queue = Bounds.name("queue", queue);
		return with(changed);
	}

	/**
	 * Run the job before others of lower priority.
	 * @param priority 0 to 100, higher first; default 0
	 * @return a copy with the priority
	 */
	public EnqueueOptions priority(int priority) {
		EnqueueFields changed = this.fields.copy();
		changed.priority = Bounds.priority(priority);
		return with(changed);
	}

	/**
	 * Group the job with others that work on the same thing, for example a customer.
	 * @param concurrencyKey the group, 1 to 256 UTF-8 bytes; default none
	 * @return a copy with the group
	 */
	public EnqueueOptions concurrencyKey(String concurrencyKey) {
		EnqueueFields changed = this.fields.copy();
		changed.concurrencyKey = Bounds.name("concurrencyKey", concurrencyKey);
		return with(changed);
	}

	/**
	 * Label the job. Order and duplicates do not count.
	 * @param tags at most 20, each 1 to 100 characters; default none
	 * @return a copy with the tags
	 */
	public EnqueueOptions tags(String... tags) {
		EnqueueFields changed = this.fields.copy();
		changed.tags = Bounds.tags(Arrays.asList(tags));
		return with(changed);
	}

	/**
	 * Bound the number of attempts.
	 * @param maxAttempts 1 to 100; default: that of the handler, else
	 * {@code workhorse.enqueue.max-attempts} (25)
	 * @return a copy with the number of attempts
	 */
	public EnqueueOptions maxAttempts(int maxAttempts) {
		EnqueueFields changed = this.fields.copy();
		changed.maxAttempts = Bounds.maxAttempts(maxAttempts);
		return with(changed);
	}

	/**
	 * Choose the delay between attempts.
	 * @param retryPolicy the policy; default: that of the handler, else
	 * {@code workhorse.enqueue.retry-policy} (polynomial)
	 * @return a copy with the policy
	 */
	public EnqueueOptions retryPolicy(RetryPolicy retryPolicy) {
		EnqueueFields changed = this.fields.copy();
		changed.retryPolicy = retryPolicy;
		return with(changed);
	}

	/**
	 * Give the job up after a point in time: no attempt starts after it.
	 * @param deadline the time, by the database's clock, kept at microsecond precision;
	 * default none
	 * @return a copy with the deadline
	 */
	public EnqueueOptions deadline(Instant deadline) {
		EnqueueFields changed = this.fields.copy();
		changed.deadline = Bounds.time("deadline", deadline);
		return with(changed);
	}

	/**
	 * Bound how long one attempt may take. An attempt that takes longer is interrupted
	 * and fails, and what its handler still returns is refused.
	 * @param executionTimeout 1 ms to 365 days in whole milliseconds; default none
	 * @return a copy with the timeout
	 */
	public EnqueueOptions executionTimeout(Duration executionTimeout) {
		EnqueueFields changed = this.fields.copy();
		changed.executionTimeout = Bounds.window("executionTimeout", executionTimeout);
		return with(changed);
	}

	EnqueueOptions with(EnqueueFields changed) {
		return new EnqueueOptions(changed);
	}

	/**
	 * The fields as the caller gave them.
	 * @return the fields, {@code null} where omitted
	 */
	public EnqueueFields fields() {
		return this.fields;
	}

	@Override
	public String toString() {
		return "EnqueueOptions" + this.fields;
	}

	/**
	 * Options of a job whose time of running the caller may choose.
	 */
	public static final class Schedulable extends EnqueueOptions {

		private Schedulable(EnqueueFields fields) {
			super(fields);
		}

		/**
		 * Run the job at a given time instead of at once. Kept at microsecond precision.
		 * A repeat that omits it only equals a request that omitted it.
		 * @param runAt the earliest time of the first attempt, by the database's clock
		 * @return a copy with the time
		 */
		public Schedulable runAt(Instant runAt) {
			EnqueueFields changed = fields().copy();
			changed.runAt = Bounds.time("runAt", runAt);
			return with(changed);
		}

		@Override
		public Schedulable queue(String queue) {
			return (Schedulable) super.queue(queue);
		}

		@Override
		public Schedulable priority(int priority) {
			return (Schedulable) super.priority(priority);
		}

		@Override
		public Schedulable concurrencyKey(String concurrencyKey) {
			return (Schedulable) super.concurrencyKey(concurrencyKey);
		}

		@Override
		public Schedulable tags(String... tags) {
			return (Schedulable) super.tags(tags);
		}

		@Override
		public Schedulable maxAttempts(int maxAttempts) {
			return (Schedulable) super.maxAttempts(maxAttempts);
		}

		@Override
		public Schedulable retryPolicy(RetryPolicy retryPolicy) {
			return (Schedulable) super.retryPolicy(retryPolicy);
		}

		@Override
		public Schedulable deadline(Instant deadline) {
			return (Schedulable) super.deadline(deadline);
		}

		@Override
		public Schedulable executionTimeout(Duration executionTimeout) {
			return (Schedulable) super.executionTimeout(executionTimeout);
		}

		@Override
		Schedulable with(EnqueueFields changed) {
			return new Schedulable(changed);
		}

	}

}
