package dev.workhorse.internal.durable;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.workhorse.handler.StepMismatchException;
import dev.workhorse.internal.durable.StepStore.Attempted;
import dev.workhorse.internal.durable.StepStore.StoredStep;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The steps of a job that are stored, in memory, and which of them this attempt has come
 * by. Read once, at the first step of the attempt.
 */
final class StepRecord {

	private static final long FIRST_FENCE = 1;

	private final StepStore store;

	private final Attempted attempt;

	private final Map<String, Step> steps = new HashMap<>();

	private final Map<String, Wait> waits = new HashMap<>();

	private final Set<String> visited = new HashSet<>();

	private boolean loaded;

	private int last;

	/**
	 * Whether steps were rolled back; from then on their order is not looked at.
	 */
	private boolean rolledBack;

	StepRecord(StepStore store, Attempted attempt) {
		this.store = store;
		this.attempt = attempt;
	}

	void load() {
		if (this.loaded) {
			return;
		}
		// nothing can be stored before the first claim
		if (this.attempt.fence() > FIRST_FENCE || this.rolledBack) {
			this.store.findSteps(this.attempt.jobId()).forEach(this::load);
		}
		this.loaded = true;
	}

	private void load(StoredStep stored) {
		Wait wait = new Wait(stored.until(), stored.due(), stored.ended());
		if (stored.kind().equals("child-wait")) {
			this.waits.put(stored.name(), wait);
			return;
		}
		StepKind kind = StepKind.of(stored.kind());
		this.steps.put(stored.name(), new Step(kind, stored.seq(), stored.value(), stored.childId(), stored.eventId()));
		if (kind == StepKind.EVENT) {
			this.waits.put(stored.name(), wait);
		}
	}

	/**
	 * Forget everything and read it again at the next step.
	 */
	void forget() {
		this.loaded = false;
		this.steps.clear();
		this.waits.clear();
		this.visited.clear();
		this.rolledBack = true;
	}

	/**
	 * Come by a step.
	 * @return what is stored of it, {@code null} if it is new
	 */
	@Nullable Step visit(String name, StepKind kind) {
		Step step = this.steps.get(name);
		if (step == null) {
			return null;
		}
		if (step.kind() != kind) {
			throw new StepMismatchException(("Step '%s' of job %s is a %s, but was first reached as a %s; give steps "
					+ "that are not the same different names")
				.formatted(name, this.attempt.jobId(), kind.words(), step.kind().words()));
		}
		boolean first = this.visited.add(name);
		if (first && step.seq() > 0 && !this.rolledBack) {
			if (step.seq() < this.last) {
				throw new StepMismatchException(("Step '%s' of job %s comes after steps that it came before when they "
						+ "were first reached; reach the steps in the same order each time")
					.formatted(name, this.attempt.jobId()));
			}
			this.last = step.seq();
		}
		return step;
	}

	/**
	 * The place of a step that is reached for the first time. One that a new version of
	 * the handler has put in between shares the place of the one before it.
	 */
	int nextSeq() {
		if (this.rolledBack) {
			return this.steps.values().stream().mapToInt(Step::seq).max().orElse(0) + 1;
		}
		boolean between = this.steps.entrySet()
			.stream()
			.anyMatch((entry) -> entry.getValue().seq() > this.last && !this.visited.contains(entry.getKey()));
		return (between) ? Math.max(this.last, 1) : this.last + 1;
	}

	void add(String name, Step step) {
		this.steps.put(name, step);
		if (step.kind() == StepKind.EVENT) {
			this.waits.put(name, new Wait(null, false, true));
		}
		this.visited.add(name);
		if (step.seq() > 0) {
			this.last = step.seq();
		}
		if (this.store.isInTransaction() && TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void savepointRollback(Object savepoint) {
					forget();
				}

				@Override
				public void afterCompletion(int status) {
					if (status != STATUS_COMMITTED) {
						forget();
					}
				}

			});
		}
	}

	@Nullable Wait wait(String name) {
		return this.waits.get(name);
	}

	/**
	 * A step that is stored.
	 *
	 * @param kind the kind of step
	 * @param seq its place in the order of the steps, 0 for none
	 * @param value its value as JSON text
	 * @param child the child
	 * @param event the event that ended a wait
	 */
	record Step(StepKind kind, int seq, @Nullable String value, @Nullable UUID child, @Nullable UUID event) {

		static Step checkpoint(int seq, String value) {
			return new Step(StepKind.CHECKPOINT, seq, value, null, null);
		}

		static Step event(int seq, @Nullable String value, @Nullable UUID event) {
			return new Step(StepKind.EVENT, seq, value, null, event);
		}

		static Step child(UUID child) {
			return new Step(StepKind.CHILD, 0, null, child, null);
		}

		UUID childOrThrow() {
			return Objects.requireNonNull(this.child);
		}

	}

	/**
	 * A wait that is stored.
	 *
	 * @param until when it is over at the latest, {@code null} for no limit
	 * @param due whether that time has come
	 * @param ended whether it was decided that it has ended
	 */
	record Wait(@Nullable Instant until, boolean due, boolean ended) {

	}

}
