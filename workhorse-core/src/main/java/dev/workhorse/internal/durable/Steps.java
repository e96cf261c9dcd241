package dev.workhorse.internal.durable;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.handler.CheckpointWork;
import dev.workhorse.handler.ChildOptions;
import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.LeaseLostException;
import dev.workhorse.handler.WaitTimeoutException;
import dev.workhorse.internal.durable.Children.Child;
import dev.workhorse.internal.durable.StepRecord.Step;
import dev.workhorse.internal.durable.StepRecord.Wait;
import dev.workhorse.internal.durable.StepStore.Attempted;
import dev.workhorse.internal.durable.StepStore.EventDecision;
import dev.workhorse.internal.durable.WaitRequest.AwaitedEvent;
import dev.workhorse.internal.durable.WaitRequest.WaitStep;
import dev.workhorse.internal.durable.WaitRequest.WaitTime;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one attempt. Used by the thread of its handler only.
 */
public final class Steps {

	private static final int MOST_LEVELS = 32;

	private final DurableExecution durable;

	private final Attempted attempt;

	private final int depth;

	private final StepRecord record;

	private boolean working;

	private @Nullable Suspension suspension;

	Steps(DurableExecution durable, Attempted attempt, int depth) {
		this.durable = durable;
		this.attempt = attempt;
		this.depth = depth;
		this.record = new StepRecord(durable.store(), attempt);
	}

	/**
	 * What suspended the attempt.
	 * @return the suspension, {@code null} if it was not suspended
	 */
	public @Nullable Suspension suspension() {
		return this.suspension;
	}

	/**
	 * Compute a value once.
	 * @param <X> what the work may throw
	 * @param name the name of the step
	 * @param type what the value is read as
	 * @param work computes the value
	 * @return the value
	 * @throws X if the work throws
	 */
	public <X extends Exception> @Nullable Object checkpoint(String name, Type type,
			CheckpointWork<? extends @Nullable Object, X> work) throws X {
		begin(name);
		String what = "checkpoint '%s'".formatted(name);
		Step known = this.record.visit(name, StepKind.CHECKPOINT);
		if (known != null) {
			return this.durable.read(what, known.value(), type);
		}
		Object value = run(work);
		String json = this.durable.write(what, value);
		int seq = this.record.nextSeq();
		if (!this.durable.store().storeCheckpoint(this.attempt, name, seq, json)) {
			throw new LeaseLostException(what);
		}
		this.record.add(name, Step.checkpoint(seq, json));
		return value;
	}

	private <X extends Exception> @Nullable Object run(CheckpointWork<? extends @Nullable Object, X> work) throws X {
		this.working = true;
		try {
			return work.run();
		}
		finally {
			this.working = false;
		}
	}

	/**
	 * Wait for some time.
	 * @param name the name of the step
	 * @param duration how long
	 */
	public void sleep(String name, Duration duration) {
		Bounds.window("duration", duration);
		begin(name);
		// a sleep is stored with its end: once the job runs again, it is over
		if (this.record.visit(name, StepKind.SLEEP) == null) {
			suspendOne(StepKind.SLEEP, name, this.record.nextSeq(), new WaitTime(duration, null), null);
		}
	}

	/**
	 * Wait until a time.
	 * @param name the name of the step
	 * @param time when to go on
	 */
	public void sleepUntil(String name, Instant time) {
		Instant until = Bounds.time("time", time);
		begin(name);
		if (this.record.visit(name, StepKind.SLEEP) != null) {
			return;
		}
		Instant now = this.durable.store().now();
		if (until.isAfter(now.plus(Bounds.MAX_WINDOW))) {
			throw new InvalidRequestException("time", "at most 365 days ahead", until.toString());
		}
		if (until.isAfter(now)) {
			suspendOne(StepKind.SLEEP, name, this.record.nextSeq(), new WaitTime(null, until), null);
		}
	}

	/**
	 * Start a child.
	 * @param name the name of the step
	 * @param type the job type
	 * @param payload what its handler is given
	 * @param options how it is run
	 * @return its job
	 */
	public UUID invokeChild(String name, String type, @Nullable Object payload, ChildOptions options) {
		begin(name);
		Step known = this.record.visit(name, StepKind.CHILD);
		if (known != null) {
			return known.childOrThrow();
		}
		if (this.depth >= MOST_LEVELS) {
			throw new InvalidRequestException("name", "the name of a child with at most 32 ancestors",
					"'%s' with %d".formatted(name, this.depth + 1));
		}
		UUID child = this.durable.children()
			.start(new Child(this.attempt.jobId(), this.attempt.fence(), this.depth + 1, name, type, payload, options));
		if (child == null) {
			throw new LeaseLostException("child '%s'".formatted(name));
		}
		this.record.add(name, Step.child(child));
		return child;
	}

	/**
	 * Wait for children.
	 * @param names the names they were started by
	 * @param type what each result is read as
	 * @param timeout how long, {@code null} for no limit
	 * @return their results in the order of the names
	 */
	public List<@Nullable Object> awaitAll(Collection<String> names, Type type, @Nullable Duration timeout) {
		if (timeout != null) {
			Bounds.window("timeout", timeout);
		}
		names.forEach(this::begin);
		AwaitedChildren awaited = new AwaitedChildren(this.durable, this.attempt, this.record, names);
		List<WaitStep> open = awaited.open();
		if (!open.isEmpty()) {
			suspend(new WaitRequest(StepKind.CHILD, open, awaited.time(open, timeout), null));
		}
		return awaited.results(type);
	}

	/**
	 * Wait for an event.
	 * @param name the name of the step
	 * @param match which event
	 * @param type what its payload is read as
	 * @param timeout how long, {@code null} for no limit
	 * @return the payload of the event
	 */
	public @Nullable Object awaitEvent(String name, EventMatch match, Type type, @Nullable Duration timeout) {
		if (timeout != null) {
			Bounds.window("timeout", timeout);
		}
		begin(name);
		String what = "the event of step '%s'".formatted(name);
		Step known = this.record.visit(name, StepKind.EVENT);
		Wait wait = this.record.wait(name);
		if (known != null && wait != null && wait.ended()) {
			return this.durable.read(what, matched(name, known.event(), known.value()), type);
		}
		int seq = (known != null) ? known.seq() : this.record.nextSeq();
		AwaitedEvent event = this.durable.awaited(match);
		EventDecision decision = this.durable.store().decideEvent(this.attempt, name, seq, event);
		if (!decision.held()) {
			throw new LeaseLostException(what);
		}
		if (!decision.decided()) {
			Instant until = (wait != null) ? wait.until() : null;
			suspendOne(StepKind.EVENT, name, seq, new WaitTime((wait != null) ? null : timeout, until), event);
		}
		this.record.add(name, Step.event(seq, decision.payload(), decision.eventId()));
		return this.durable.read(what, matched(name, decision.eventId(), decision.payload()), type);
	}

	private static @Nullable String matched(String name, @Nullable UUID event, @Nullable String payload) {
		if (event == null) {
			throw new WaitTimeoutException(name);
		}
		return payload;
	}

	private void suspendOne(StepKind kind, String name, int seq, WaitTime time, @Nullable AwaitedEvent event) {
		suspend(new WaitRequest(kind, List.of(new WaitStep(name, seq, null)), time, event));
	}

	private void suspend(WaitRequest wait) {
		Suspension thrown = new Suspension(wait);
		this.suspension = thrown;
		throw thrown;
	}

	private void begin(String name) {
		Bounds.name("name", name);
		if (this.suspension != null) {
			throw this.suspension;
		}
		if (this.working) {
			throw new IllegalStateException(
					"Step '%s' is inside the work of a checkpoint; take it out, steps cannot be nested"
						.formatted(name));
		}
		this.record.load();
	}

}
