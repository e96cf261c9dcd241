package dev.workhorse;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How a job is accepted and run. Immutable: every method returns a copy. Start with
 * {@link #defaults()} for a job without a key or {@link #idempotency(Idempotency)} for
 * one that is accepted once, then add what differs from the defaults. A field that is
 * left out takes its default, and leaving it out is not held against a repeat: naming the
 * default and omitting it are the same request.
 */
public sealed class EnqueueOptions permits EnqueueOptions.Schedulable {

	/** The queue used when none is given. */
	public static final String DEFAULT_QUEUE = "default";

	/** The priority used when none is given. */
	public static final int DEFAULT_PRIORITY = 0;

	private final Fields fields;

	private EnqueueOptions(Fields fields) {
		this.fields = fields;
	}

	/**
	 * Options for a job without a key: every request creates a job.
	 * @return the options
	 */
	public static Schedulable defaults() {
		return new Schedulable(Fields.NONE);
	}

	/**
	 * Options for a job that is accepted once.
	 * @param idempotency the key and its ttl
	 * @return the options
	 */
	public static Schedulable idempotency(Idempotency idempotency) {
		return new Schedulable(Fields.NONE.with(idempotency));
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
	 * Put the job into a queue.
	 * @param queue the queue, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the queue
	 */
	public EnqueueOptions queue(String queue) {
		return copy(this.fields.withQueue(Bounds.name("queue", queue)));
	}

	/**
	 * Run the job before others of lower priority.
	 * @param priority 0 to 100, higher first; default 0
	 * @return a copy with the priority
	 */
	public EnqueueOptions priority(int priority) {
		return copy(this.fields.withPriority(Bounds.priority(priority)));
	}

	/**
	 * Label the job. Order and duplicates do not count.
	 * @param tags at most 20, each 1 to 100 characters; default none
	 * @return a copy with the tags
	 */
	public EnqueueOptions tags(String... tags) {
		return copy(this.fields.withTags(Bounds.tags(Arrays.asList(tags))));
	}

	/**
	 * Bound the number of attempts.
	 * @param maxAttempts 1 to 100; default: that of the handler, else
	 * {@code workhorse.enqueue.max-attempts} (25)
	 * @return a copy with the number of attempts
	 */
	public EnqueueOptions maxAttempts(int maxAttempts) {
		return copy(this.fields.withMaxAttempts(Bounds.maxAttempts(maxAttempts)));
	}

	/**
	 * Choose the delay between attempts.
	 * @param retryPolicy the policy; default: that of the handler, else
	 * {@code workhorse.enqueue.retry-policy} (polynomial)
	 * @return a copy with the policy
	 */
	public EnqueueOptions retryPolicy(RetryPolicy retryPolicy) {
		return copy(this.fields.withRetryPolicy(retryPolicy));
	}

	EnqueueOptions copy(Fields changed) {
		return new EnqueueOptions(changed);
	}

	/**
	 * The fields as the caller gave them.
	 * @return the fields, {@code null} where omitted
	 */
	public Fields fields() {
		return this.fields;
	}

	@Override
	public String toString() {
		return "EnqueueOptions[" + this.fields + "]";
	}

	/**
	 * Options of a job whose time of running the caller may choose.
	 */
	public static final class Schedulable extends EnqueueOptions {

		private Schedulable(Fields fields) {
			super(fields);
		}

		/**
		 * Run the job at a given time instead of at once. Kept at microsecond precision.
		 * A repeat that omits it only equals a request that omitted it.
		 * @param runAt the earliest time of the first attempt, by the database's clock
		 * @return a copy with the time
		 */
		public Schedulable runAt(Instant runAt) {
			return copy(fields().withRunAt(Bounds.time("runAt", runAt)));
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
		Schedulable copy(Fields changed) {
			return new Schedulable(changed);
		}

	}

	/**
	 * What the caller gave, {@code null} where omitted.
	 *
	 * @param idempotency the key and ttl
	 * @param queue the queue
	 * @param priority the priority
	 * @param runAt the time to run at, in whole microseconds
	 * @param tags the tags, sorted
	 * @param maxAttempts the number of attempts
	 * @param retryPolicy the delay between attempts
	 */
	public record Fields(@Nullable Idempotency idempotency, @Nullable String queue, @Nullable Integer priority,
			@Nullable Instant runAt, @Nullable List<String> tags, @Nullable Integer maxAttempts,
			@Nullable RetryPolicy retryPolicy) {

		static final Fields NONE = new Fields(null, null, null, null, null, null, null);

		Fields with(Idempotency idempotency) {
			return new Fields(idempotency, this.queue, this.priority, this.runAt, this.tags, this.maxAttempts,
					this.retryPolicy);
		}

		Fields withQueue(String queue) {
			return new Fields(this.idempotency, queue, this.priority, this.runAt, this.tags, this.maxAttempts,
					this.retryPolicy);
		}

		Fields withPriority(int priority) {
			return new Fields(this.idempotency, this.queue, priority, this.runAt, this.tags, this.maxAttempts,
					this.retryPolicy);
		}

		Fields withRunAt(Instant runAt) {
			return new Fields(this.idempotency, this.queue, this.priority, runAt, this.tags, this.maxAttempts,
					this.retryPolicy);
		}

		Fields withTags(List<String> tags) {
			return new Fields(this.idempotency, this.queue, this.priority, this.runAt, tags, this.maxAttempts,
					this.retryPolicy);
		}

		Fields withMaxAttempts(int maxAttempts) {
			return new Fields(this.idempotency, this.queue, this.priority, this.runAt, this.tags, maxAttempts,
					this.retryPolicy);
		}

		Fields withRetryPolicy(RetryPolicy retryPolicy) {
			return new Fields(this.idempotency, this.queue, this.priority, this.runAt, this.tags, this.maxAttempts,
					retryPolicy);
		}

	}

}
