package dev.workhorse.handler;

import java.time.Duration;
import java.time.Instant;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * How a child is run. Immutable: every method returns a copy. A child needs no key, since
 * its parent starts one for each name.
 */
public final class ChildOptions {

	private static final ChildOptions DEFAULTS = new ChildOptions(EnqueueOptions.defaults(), null, false);

	private final EnqueueOptions.Schedulable job;

	private final @Nullable Duration delay;

	private final boolean cancelWithParent;

	private ChildOptions(EnqueueOptions.Schedulable job, @Nullable Duration delay, boolean cancelWithParent) {
		this.job = job;
		this.delay = delay;
		this.cancelWithParent = cancelWithParent;
	}

	/**
	 * Options for a child that runs at once and lives on if its parent is cancelled.
	 * @return the options
	 */
	public static ChildOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Cancel the child when its parent is cancelled or superseded. A parent that fails
	 * leaves its children alone.
	 * @return a copy that says so
	 */
	public ChildOptions cancelWithParent() {
		return new ChildOptions(this.job, this.delay, true);
	}

	/**
	 * Put the child into a queue.
	 * @param queue the queue, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the queue
	 */
	public ChildOptions queue(String queue) {
		return with(this.job.queue(queue));
	}

	/**
	 * Run the child before others of lower priority.
	 * @param priority 0 to 100, higher first; default 0
	 * @return a copy with the priority
	 */
	public ChildOptions priority(int priority) {
		return with(this.job.priority(priority));
	}

	/**
	 * Group the child with other jobs that work on the same thing.
	 * @param concurrencyKey the group, 1 to 256 UTF-8 bytes; default none
	 * @return a copy with the group
	 */
	public ChildOptions concurrencyKey(String concurrencyKey) {
		return with(this.job.concurrencyKey(concurrencyKey));
	}

	/**
	 * Label the child. Order and duplicates do not count.
	 * @param tags at most 20, each 1 to 100 characters; default none
	 * @return a copy with the tags
	 */
	public ChildOptions tags(String... tags) {
		return with(this.job.tags(tags));
	}

	/**
	 * Bound the number of attempts.
	 * @param maxAttempts 1 to 100; default: that of the handler, else
	 * {@code workhorse.enqueue.max-attempts} (25)
	 * @return a copy with the number of attempts
	 */
	public ChildOptions maxAttempts(int maxAttempts) {
		return with(this.job.maxAttempts(maxAttempts));
	}

	/**
	 * Choose the delay between attempts.
	 * @param retryPolicy the policy; default: that of the handler, else
	 * {@code workhorse.enqueue.retry-policy} (polynomial)
	 * @return a copy with the policy
	 */
	public ChildOptions retryPolicy(RetryPolicy retryPolicy) {
		return with(this.job.retryPolicy(retryPolicy));
	}

	/**
	 * Give the child up after a point in time: no attempt starts after it.
	 * @param deadline the time, by the database's clock; default none
	 * @return a copy with the deadline
	 */
	public ChildOptions deadline(Instant deadline) {
		return with(this.job.deadline(deadline));
	}

	/**
	 * Bound how long one attempt may take.
	 * @param executionTimeout 1 ms to 365 days in whole milliseconds; default none
	 * @return a copy with the timeout
	 */
	public ChildOptions executionTimeout(Duration executionTimeout) {
		return with(this.job.executionTimeout(executionTimeout));
	}

	/**
	 * Run the child at a given time instead of at once.
	 * @param runAt the earliest time of the first attempt, by the database's clock
	 * @return a copy with the time
	 * @throws InvalidRequestException if there is a delay
	 */
	public ChildOptions runAt(Instant runAt) {
		if (this.delay != null) {
			throw new InvalidRequestException("runAt", "given only without a delay", "both");
		}
		return with(this.job.runAt(runAt));
	}

	/**
	 * Run the child after a delay instead of at once.
	 * @param delay 1 ms to 365 days in whole milliseconds
	 * @return a copy with the delay
	 * @throws InvalidRequestException if there is a time to run at
	 */
	public ChildOptions delay(Duration delay) {
		if (this.job.fields().runAt() != null) {
			throw new InvalidRequestException("delay", "given only without runAt", "both");
		}
		return new ChildOptions(this.job, Bounds.window("delay", delay), this.cancelWithParent);
	}

	private ChildOptions with(EnqueueOptions.Schedulable job) {
		return new ChildOptions(job, this.delay, this.cancelWithParent);
	}

	/**
	 * How the child is run.
	 * @return the options that children share with any job
	 */
	public EnqueueOptions.Schedulable job() {
		return this.job;
	}

	/**
	 * The delay.
	 * @return the delay before the first attempt, {@code null} for none
	 */
	public @Nullable Duration delay() {
		return this.delay;
	}

	/**
	 * Whether the child is cancelled with its parent.
	 * @return whether it is
	 */
	public boolean isCancelledWithParent() {
		return this.cancelWithParent;
	}

	@Override
	public String toString() {
		return "ChildOptions[cancelWithParent=%s, delay=%s, job=%s]".formatted(this.cancelWithParent, this.delay,
				this.job);
	}

}
