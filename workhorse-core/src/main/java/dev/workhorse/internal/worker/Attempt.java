package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a job, from its claim to its end. It ends once: whoever ends it first,
 * the handler or the shutdown that gives it back, decides what is stored.
 */
final class Attempt implements JobContext {

	private enum Stage {

		CLAIMED, RUNNING, ENDED

	}

	private final ClaimedJob job;

	private final HandlerDefinition definition;

	private final long claimedAt = System.nanoTime();

	private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.CLAIMED);

	private final AtomicBoolean leaseLost = new AtomicBoolean();

	private final AtomicBoolean cancelled = new AtomicBoolean();

	/** The thread its handler is on; guarded by this object's monitor. */
	private @Nullable Thread thread;

	Attempt(ClaimedJob job, HandlerDefinition definition) {
		this.job = job;
		this.definition = definition;
	}

	ClaimedJob job() {
		return this.job;
	}

	Lease lease() {
		return this.job.lease();
	}

	long fence() {
		return this.job.lease().fence();
	}

	HandlerDefinition definition() {
		return this.definition;
	}

	/**
	 * Start.
	 * @return whether the attempt is to be run at all
	 */
	boolean begin() {
		return this.stage.compareAndSet(Stage.CLAIMED, Stage.RUNNING);
	}

	/**
	 * End the attempt.
	 * @return whether it had not ended before
	 */
	boolean end() {
		return this.stage.getAndSet(Stage.ENDED) != Stage.ENDED;
	}

	/**
	 * Take its end back, which could not be committed. Only for whoever ended it.
	 */
	void reopen() {
		this.stage.set(Stage.RUNNING);
	}

	/**
	 * End the attempt unless its handler has begun.
	 * @return whether it was ended
	 */
	boolean endUnlessBegun() {
		return this.stage.compareAndSet(Stage.CLAIMED, Stage.ENDED);
	}

	/**
	 * Whether it has ended; its end may still be on its way into the database.
	 */
	boolean hasEnded() {
		return this.stage.get() == Stage.ENDED;
	}

	/**
	 * Whether it has been waiting for a free handler thread for longer than a while.
	 */
	boolean waitsLongerThan(Duration time) {
		return this.stage.get() == Stage.CLAIMED && System.nanoTime() - this.claimedAt > time.toNanos();
	}

	/**
	 * How long the job has been due.
	 */
	Duration waited() {
		return this.job.origin().overdue().plusNanos(System.nanoTime() - this.claimedAt);
	}

	/**
	 * Note that the lease is lost.
	 * @return whether this was news
	 */
	boolean loseLease() {
		return !this.leaseLost.getAndSet(true);
	}

	/**
	 * Note that somebody asked for it to be cancelled.
	 * @return whether this was news
	 */
	boolean cancel() {
		return !this.cancelled.getAndSet(true);
	}

	/**
	 * The handler is on the current thread from here on.
	 */
	synchronized void enter() {
		this.thread = Thread.currentThread();
	}

	/**
	 * The handler has left the current thread, and no interrupt of it remains.
	 */
	synchronized void leave() {
		this.thread = null;
		Thread.interrupted();
	}

	/**
	 * Interrupt the handler if it is on a thread.
	 */
	synchronized void interrupt() {
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

	/**
	 * Whether the deadline is over once a delay from now has passed.
	 */
	boolean isOverdueIn(Duration delay) {
		Duration untilDeadline = this.job.limits().untilDeadline();
		return untilDeadline != null
				&& untilDeadline.minusNanos(System.nanoTime() - this.claimedAt).compareTo(delay) <= 0;
	}

	RetryPolicy retryPolicy() {
		RetryPolicy own = this.definition.retryPolicy();
		return (own != null && !this.job.explicit().contains("retryPolicy")) ? own
				: RetryPolicy.parse(this.job.retryPolicy());
	}

	@Override
	public UUID jobId() {
		return this.job.lease().jobId();
	}

	@Override
	public String type() {
		return this.job.type();
	}

	@Override
	public String queue() {
		return this.job.queue();
	}

	@Override
	public int attempt() {
		return this.job.attempt();
	}

	@Override
	public int maxAttempts() {
		Integer own = this.definition.maxAttempts();
		return (own != null && !this.job.explicit().contains("maxAttempts")) ? own : this.job.maxAttempts();
	}

	@Override
	public @Nullable Instant deadline() {
		return this.job.limits().deadline();
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled.get();
	}

	@Override
	public boolean isLeaseLost() {
		return this.leaseLost.get();
	}

	@Override
	public String toString() {
		return "attempt %d of job %s (%s)".formatted(attempt(), jobId(), type());
	}

}
