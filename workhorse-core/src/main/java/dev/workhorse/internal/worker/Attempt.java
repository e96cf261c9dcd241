package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.CheckpointWork;
import dev.workhorse.handler.ChildOptions;
import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.internal.durable.DurableExecution;
import dev.workhorse.internal.durable.Steps;
import dev.workhorse.internal.durable.Suspension;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ParameterizedTypeReference;

/**
 * One attempt at a job, from its claim to its end. It ends once: whoever ends it first,
 * the handler or the shutdown that gives it back, decides what is stored.
 */
final class Attempt implements JobContext {

	private enum Stage {

		CLAIMED, RUNNING, TIMED_OUT, ENDED

	}

	private final ClaimedJob job;

	private final HandlerDefinition definition;

	private final DurableExecution durable;

	private final ProgressWriter progressWriter;

	/** The progress that is not stored yet. */
	private final AtomicReference<@Nullable String> progress = new AtomicReference<>();

	/** Made for handlers that go in steps. Only the handler's thread uses it. */
	private @Nullable Steps steps;

	private final long claimedAt = System.nanoTime();

	private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.CLAIMED);

	private final AtomicBoolean leaseLost = new AtomicBoolean();

	private volatile boolean superseded;

	private final AtomicBoolean cancelled = new AtomicBoolean();

	private volatile @Nullable Settlement uncertainEnd;

	/** The thread its handler is on; guarded by this object's monitor. */
	private @Nullable Thread thread;

	Attempt(ClaimedJob job, HandlerDefinition definition, DurableExecution durable, ProgressWriter progressWriter) {
		this.job = job;
		this.definition = definition;
		this.durable = durable;
		this.progressWriter = progressWriter;
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
		Stage before = this.stage.getAndUpdate((stage) -> (stage == Stage.TIMED_OUT) ? stage : Stage.ENDED);
		return before != Stage.TIMED_OUT && before != Stage.ENDED;
	}

	/**
	 * End the attempt, as its handler has taken too long.
	 * @return whether it had not ended before
	 */
	boolean timeOut() {
		return this.stage.compareAndSet(Stage.RUNNING, Stage.TIMED_OUT);
	}

	boolean hasTimedOut() {
		return this.stage.get() == Stage.TIMED_OUT;
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
		Stage current = this.stage.get();
		return current == Stage.TIMED_OUT || current == Stage.ENDED;
	}

	/**
	 * Note an end that may be stored, although its commit was not confirmed.
	 */
	void mayHaveEnded(Settlement settlement) {
		this.uncertainEnd = settlement;
	}

	@Nullable Settlement uncertainEnd() {
		return this.uncertainEnd;
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
	 * Note that another execution has taken its place.
	 */
	void supersede() {
		this.superseded = true;
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
	 * Whether the handler is on a thread.
	 */
	synchronized boolean isOnThread() {
		return this.thread != null;
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
	public @Nullable EventMetadata event() {
		return this.job.origin().event();
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled.get();
	}

	@Override
	public boolean isSuperseded() {
		return this.superseded;
	}

	@Override
	public boolean isLeaseLost() {
		return this.leaseLost.get();
	}

	private Steps steps() {
		Steps existing = this.steps;
		if (existing == null) {
			existing = this.durable.steps(jobId(), fence(), this.job.origin().depth());
			this.steps = existing;
		}
		return existing;
	}

	/**
	 * What suspended it.
	 * @return the suspension, {@code null} if no step had to wait
	 */
	@Nullable Suspension suspension() {
		return (this.steps != null) ? this.steps.suspension() : null;
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" }) // null is a T if it was one when
													// stored
	public <T extends @Nullable Object, X extends Exception> T checkpoint(String name, Class<T> type,
			CheckpointWork<? extends T, X> work) throws X {
		return (T) steps().checkpoint(name, type, work);
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" }) // null is a T if it was one when
													// stored
	public <T extends @Nullable Object, X extends Exception> T checkpoint(String name,
			ParameterizedTypeReference<T> type, CheckpointWork<? extends T, X> work) throws X {
		return (T) steps().checkpoint(name, type.getType(), work);
	}

	@Override
	public void sleep(String name, Duration duration) {
		steps().sleep(name, duration);
	}

	@Override
	public void sleepUntil(String name, Instant time) {
		steps().sleepUntil(name, time);
	}

	@Override
	public UUID invokeChild(String name, String type, @Nullable Object payload, ChildOptions options) {
		return steps().invokeChild(name, type, payload, options);
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T extends @Nullable Object> List<T> awaitAll(Collection<String> names, Class<T> type) {
		return (List<T>) steps().awaitAll(names, type, null);
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T extends @Nullable Object> List<T> awaitAll(Collection<String> names, Class<T> type, Duration timeout) {
		return (List<T>) steps().awaitAll(names, type, timeout);
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" }) // a payload of null is a T
	public <T extends @Nullable Object> T awaitEvent(String name, EventMatch match, Class<T> type) {
		return (T) steps().awaitEvent(name, match, type, null);
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" }) // a payload of null is a T
	public <T extends @Nullable Object> T awaitEvent(String name, EventMatch match, Class<T> type, Duration timeout) {
		return (T) steps().awaitEvent(name, match, type, timeout);
	}

	@Override
	public void progress(@Nullable Object value) {
		this.progress.set(this.durable.write("progress", value));
		this.progressWriter.noted(this);
	}

	/**
	 * The progress that is not stored yet.
	 * @return the progress as JSON text, {@code null} for none
	 */
	@Nullable String unstoredProgress() {
		return this.progress.get();
	}

	/**
	 * Note that its progress is stored.
	 */
	void progressStored(String stored) {
		// the very text: an equal one that came later is stored once more
		this.progress.compareAndSet(stored, null);
	}

	@Override
	public String toString() {
		return "attempt %d of job %s (%s)".formatted(attempt(), jobId(), type());
	}

}
