package dev.workhorse.internal.durable;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.handler.ChildFailedException;
import dev.workhorse.handler.ChildFailedException.Child;
import dev.workhorse.handler.LeaseLostException;
import dev.workhorse.handler.WaitTimeoutException;
import dev.workhorse.internal.durable.StepRecord.Step;
import dev.workhorse.internal.durable.StepRecord.Wait;
import dev.workhorse.internal.durable.StepStore.Attempted;
import dev.workhorse.internal.durable.StepStore.ChildEnd;
import dev.workhorse.internal.durable.WaitRequest.WaitStep;
import dev.workhorse.internal.durable.WaitRequest.WaitTime;
import dev.workhorse.operations.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Children that a handler waits for, as they stand now.
 */
final class AwaitedChildren {

	private static final String PURGED = "purged";

	private final DurableExecution durable;

	private final Attempted attempt;

	private final StepRecord record;

	private final Collection<String> names;

	private final Map<String, UUID> children = new LinkedHashMap<>();

	private final Map<UUID, ChildEnd> ends = new HashMap<>();

	AwaitedChildren(DurableExecution durable, Attempted attempt, StepRecord record, Collection<String> names) {
		this.durable = durable;
		this.attempt = attempt;
		this.record = record;
		this.names = names;
		for (String name : names) {
			Step step = record.visit(name, StepKind.CHILD);
			if (step == null) {
				throw new IllegalArgumentException(
						"No child was started by the name '%s'; call invokeChild first".formatted(name));
			}
			this.children.put(name, step.childOrThrow());
		}
		for (String name : names) {
			Wait wait = record.wait(name);
			if (wait != null && wait.ended()) {
				throw new WaitTimeoutException(name);
			}
		}
		durable.store().findChildren(this.children.values()).forEach((end) -> this.ends.put(end.id(), end));
	}

	/**
	 * The children that have not ended.
	 * @throws WaitTimeoutException if it has been waited long enough for one
	 */
	List<WaitStep> open() {
		List<WaitStep> open = new ArrayList<>();
		List<String> late = new ArrayList<>();
		this.children.forEach((name, child) -> {
			if (isLive(end(child))) {
				open.add(new WaitStep(name, 0, child));
				Wait wait = this.record.wait(name);
				if (wait != null && wait.due()) {
					late.add(name);
				}
			}
		});
		if (!late.isEmpty()) {
			if (!this.durable.store().endWaits(this.attempt, late)) {
				throw new LeaseLostException("the wait for child '%s'".formatted(late.get(0)));
			}
			throw new WaitTimeoutException(late.get(0));
		}
		return open;
	}

	/**
	 * How long to wait: what is left if all of it has been waited for before.
	 */
	WaitTime time(List<WaitStep> open, @Nullable Duration timeout) {
		Instant earliest = null;
		for (WaitStep step : open) {
			Wait wait = this.record.wait(step.name());
			if (wait == null) {
				return new WaitTime(timeout, null);
			}
			Instant until = wait.until();
			if (until != null && (earliest == null || until.isBefore(earliest))) {
				earliest = until;
			}
		}
		return new WaitTime(null, earliest);
	}

	List<@Nullable Object> results(Type type) {
		ChildFailedException failure = null;
		List<@Nullable Object> results = new ArrayList<>();
		for (String name : this.names) {
			ChildEnd end = end(Objects.requireNonNull(this.children.get(name)));
			if (JobState.SUCCEEDED.label().equals(end.state())) {
				results.add(this.durable.read("the result of child '%s'".formatted(name), end.result(), type));
				continue;
			}
			ChildFailedException next = failure(name, end);
			if (failure == null) {
				failure = next;
			}
			else {
				failure.addSuppressed(next);
			}
		}
		if (failure != null) {
			throw failure;
		}
		return results;
	}

	private static ChildFailedException failure(String name, ChildEnd end) {
		return new ChildFailedException(new Child(name, end.id(), (end.state() != null) ? end.state() : PURGED,
				end.errorType(), end.errorMessage()));
	}

	private ChildEnd end(UUID child) {
		return Objects.requireNonNull(this.ends.get(child));
	}

	private static boolean isLive(ChildEnd end) {
		return end.state() != null && !JobState.of(end.state()).isFinished();
	}

}
