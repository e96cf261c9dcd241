package dev.workhorse.internal.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Puts off what may only happen once the caller's transaction has committed: wake-ups and
 * counts. What was put off since a savepoint is forgotten when the transaction is rolled
 * back to it.
 */
final class AfterCommit {

	/**
	 * Run an action after the commit of the current transaction, or at once if nobody
	 * tells when that is.
	 * @param action what to run
	 */
	void run(Runnable action) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			action.run();
			return;
		}
		Pending pending = (Pending) TransactionSynchronizationManager.getResource(this);
		if (pending == null) {
			pending = new Pending();
			TransactionSynchronizationManager.bindResource(this, pending);
			TransactionSynchronizationManager.registerSynchronization(pending);
		}
		pending.actions.add(action);
	}

	private final class Pending implements TransactionSynchronization {

		private final List<Runnable> actions = new ArrayList<>();

		private final Deque<Mark> marks = new ArrayDeque<>();

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResource(AfterCommit.this);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(AfterCommit.this, this);
		}

		@Override
		public void savepoint(Object savepoint) {
			this.marks.push(new Mark(savepoint, this.actions.size()));
		}

		@Override
		public void savepointRollback(Object savepoint) {
			Mark mark = find(savepoint);
			// a savepoint older than the first action of this transaction has no mark
			int keep = (mark != null) ? mark.actions() : 0;
			this.actions.subList(keep, this.actions.size()).clear();
		}

		private @Nullable Mark find(Object savepoint) {
			return this.marks.stream()
				.filter((mark) -> Objects.equals(mark.savepoint(), savepoint))
				.findFirst()
				.orElse(null);
		}

		@Override
		public void afterCommit() {
			this.actions.forEach(Runnable::run);
		}

		@Override
		public void afterCompletion(int status) {
			TransactionSynchronizationManager.unbindResourceIfPossible(AfterCommit.this);
		}

	}

	private record Mark(Object savepoint, int actions) {

	}

}
