package dev.workhorse.conductor;

import java.time.Duration;
import java.time.Instant;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueKey;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The key of an invoke, and how it is run. Immutable: every method returns a copy. Start
 * with one of the static methods, which decides what is kept apart, then add what differs
 * from the defaults.
 * <p>
 * An invoke that updates a waiting execution replaces its payload, time, priority and
 * concurrency key, also by the defaults of those that are left out; its other options
 * stay as they were.
 */
public sealed class InvokeOptions permits InvokeOptions.Schedulable {

	private final @Nullable EnqueueKey dedupeKey;

	private final @Nullable Slot slot;

	private final EnqueueOptions.Schedulable job;

	private InvokeOptions(@Nullable EnqueueKey dedupeKey, @Nullable Slot slot, EnqueueOptions.Schedulable job) {
		this.dedupeKey = dedupeKey;
		this.slot = slot;
		this.job = job;
	}

	/**
	 * Options without a key: every invoke creates an execution.
	 * @return the options
	 */
	public static Schedulable defaults() {
		return new Schedulable(null, null);
	}

	/**
	 * Options for the one execution of a key.
	 * @param key the key, 1 to 512 UTF-8 bytes; with the task and the queue it is what
	 * the execution is known by for as long as it is stored
	 * @return the options
	 */
	public static Schedulable dedupeKey(String key) {
		return new Schedulable(key(key), null);
	}

	/**
	 * Options for one execution of the task and queue in each slot; later invokes are
	 * dropped while it is pending or running.
	 * @param slot the length of the slots, 1 second to 365 days in whole seconds
	 * @return the options
	 */
	public static Schedulable throttle(Duration slot) {
		return new Schedulable(null, new Slot(Slot.Use.THROTTLE, slot));
	}

	/**
	 * Options for one execution of a key in each slot; later invokes are dropped while it
	 * is pending or running.
	 * @param slot the length of the slots, 1 second to 365 days in whole seconds
	 * @param dedupeKey the key, 1 to 512 UTF-8 bytes
	 * @return the options
	 */
	public static Schedulable throttle(Duration slot, String dedupeKey) {
		return new Schedulable(key(dedupeKey), new Slot(Slot.Use.THROTTLE, slot));
	}

	/**
	 * Options for an execution of the task and queue that gathers the invokes of a slot
	 * and runs with the last of them when the slot is over.
	 * @param slot the length of the slots, 1 second to 365 days in whole seconds
	 * @return the options
	 */
	public static InvokeOptions debounce(Duration slot) {
		return new InvokeOptions(null, new Slot(Slot.Use.DEBOUNCE, slot), EnqueueOptions.defaults());
	}

	/**
	 * Options for an execution of a key that gathers the invokes of a slot and runs with
	 * the last of them when the slot is over.
	 * @param slot the length of the slots, 1 second to 365 days in whole seconds
	 * @param dedupeKey the key, 1 to 512 UTF-8 bytes
	 * @return the options
	 */
	public static InvokeOptions debounce(Duration slot, String dedupeKey) {
		return new InvokeOptions(key(dedupeKey), new Slot(Slot.Use.DEBOUNCE, slot), EnqueueOptions.defaults());
	}

	private static EnqueueKey key(String value) {
		return EnqueueKey.of(Bounds.key("dedupeKey", value));
	}

	/**
	 * Run the execution from a queue. Part of what a dedupe key is known by.
	 * @param queue the queue, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the queue
	 */
	public InvokeOptions queue(String queue) {
		return with(this.job.queue(queue));
	}

	/**
	 * Run the execution before others of lower priority.
	 * @param priority 0 to 100, higher first; default 0
	 * @return a copy with the priority
	 */
	public InvokeOptions priority(int priority) {
		return with(this.job.priority(priority));
	}

	/**
	 * Group the execution with others that work on the same thing.
	 * @param concurrencyKey the group, 1 to 256 UTF-8 bytes; default none
	 * @return a copy with the group
	 */
	public InvokeOptions concurrencyKey(String concurrencyKey) {
		return with(this.job.concurrencyKey(concurrencyKey));
	}

	/**
	 * Label the execution. Order and duplicates do not count. Kept by an update.
	 * @param tags at most 20, each 1 to 100 characters; default none
	 * @return a copy with the tags
	 */
	public InvokeOptions tags(String... tags) {
		return with(this.job.tags(tags));
	}

	/**
	 * Bound the number of attempts. Kept by an update.
	 * @param maxAttempts 1 to 100; default: that of the handler, else
	 * {@code workhorse.enqueue.max-attempts} (25)
	 * @return a copy with the number of attempts
	 */
	public InvokeOptions maxAttempts(int maxAttempts) {
		return with(this.job.maxAttempts(maxAttempts));
	}

	/**
	 * Choose the delay between attempts. Kept by an update.
	 * @param retryPolicy the policy; default: that of the handler, else
	 * {@code workhorse.enqueue.retry-policy} (polynomial)
	 * @return a copy with the policy
	 */
	public InvokeOptions retryPolicy(RetryPolicy retryPolicy) {
		return with(this.job.retryPolicy(retryPolicy));
	}

	/**
	 * Give the execution up after a point in time: no attempt starts after it. Kept by an
	 * update.
	 * @param deadline the time, by the database's clock; default none
	 * @return a copy with the deadline
	 */
	public InvokeOptions deadline(Instant deadline) {
		return with(this.job.deadline(deadline));
	}

	/**
	 * Bound how long one attempt may take. Kept by an update.
	 * @param executionTimeout 1 ms to 365 days in whole milliseconds; default none
	 * @return a copy with the timeout
	 */
	public InvokeOptions executionTimeout(Duration executionTimeout) {
		return with(this.job.executionTimeout(executionTimeout));
	}

	InvokeOptions with(EnqueueOptions.Schedulable job) {
		return new InvokeOptions(this.dedupeKey, this.slot, job);
	}

	/**
	 * The dedupe key.
	 * @return the key, {@code null} for none
	 */
	public @Nullable EnqueueKey dedupeKey() {
		return this.dedupeKey;
	}

	/**
	 * The slots.
	 * @return the slots, {@code null} for none
	 */
	public @Nullable Slot slot() {
		return this.slot;
	}

	/**
	 * The delay.
	 * @return the delay from the invoke to the first attempt, {@code null} for none
	 */
	public @Nullable Duration delay() {
		return null;
	}

	/**
	 * How the execution is run.
	 * @return the options that executions share with any job
	 */
	public EnqueueOptions.Schedulable job() {
		return this.job;
	}

	@Override
	public String toString() {
		return "InvokeOptions[dedupeKey=%s, slot=%s, delay=%s, job=%s]"
			.formatted((this.dedupeKey != null) ? this.dedupeKey.preview() : null, this.slot, delay(), this.job);
	}

	/**
	 * Options of an execution whose time of running the caller may choose.
	 */
	public static final class Schedulable extends InvokeOptions {

		private final @Nullable Duration delay;

		private Schedulable(@Nullable EnqueueKey dedupeKey, @Nullable Slot slot) {
			this(dedupeKey, slot, EnqueueOptions.defaults(), null);
		}

		private Schedulable(@Nullable EnqueueKey dedupeKey, @Nullable Slot slot, EnqueueOptions.Schedulable job,
				@Nullable Duration delay) {
			super(dedupeKey, slot, job);
			this.delay = delay;
		}

		/**
		 * Run the execution at a given time instead of at once.
		 * @param runAt the earliest time of the first attempt, by the database's clock,
		 * kept at microsecond precision
		 * @return a copy with the time
		 * @throws dev.workhorse.InvalidRequestException if there is a delay
		 */
		public Schedulable runAt(Instant runAt) {
			if (this.delay != null) {
				throw new InvalidRequestException("runAt", "given only without a delay", "both");
			}
			return with(job().runAt(runAt));
		}

		/**
		 * Run the execution after a delay instead of at once.
		 * @param delay 1 ms to 365 days in whole milliseconds
		 * @return a copy with the delay
		 * @throws dev.workhorse.InvalidRequestException if there is a time to run at
		 */
		public Schedulable delay(Duration delay) {
			if (job().fields().runAt() != null) {
				throw new InvalidRequestException("delay", "given only without runAt", "both");
			}
			return new Schedulable(dedupeKey(), slot(), job(), Bounds.window("delay", delay));
		}

		@Override
		public @Nullable Duration delay() {
			return this.delay;
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
		Schedulable with(EnqueueOptions.Schedulable job) {
			return new Schedulable(dedupeKey(), slot(), job, this.delay);
		}

	}

}
