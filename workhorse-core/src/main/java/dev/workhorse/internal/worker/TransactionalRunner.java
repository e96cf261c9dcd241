package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.workhorse.internal.sql.CallerTransaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs a handler in a transaction that also stores its success, or that it waits: both
 * are committed, or neither. However else the attempt ends is stored afterwards, by the
 * completer, when nothing is left of what the handler wrote.
 */
final class TransactionalRunner {

	private static final Logger logger = LoggerFactory.getLogger(TransactionalRunner.class);

	private final AttemptRunner runner;

	private final PlatformTransactionManager transactionManager;

	private final CallerTransaction jobStore;

	private final PostgresSettlements settlements;

	private final PostgresLeases leases;

	private final Observer observer;

	private final ProgressWriter progress;

	TransactionalRunner(AttemptRunner runner, HandlerTransactions transactions, String schema, PostgresLeases leases,
			Observer observer, ProgressWriter progress) {
		this.runner = runner;
		this.transactionManager = transactions.manager();
		this.jobStore = new CallerTransaction(transactions.dataSource());
		this.settlements = new PostgresSettlements(new JdbcTemplate(transactions.dataSource()), schema);
		this.leases = leases;
		this.observer = observer;
		this.progress = progress;
	}

	/**
	 * Run a handler.
	 * @return the end that is still to be stored, unless somebody else has ended the
	 * attempt; {@code null} if there is nothing left to do
	 */
	@Nullable Settlement run(Attempt attempt) {
		long start = System.nanoTime();
		Run run = new Run(attempt);
		Throwable failure = null;
		try {
			transaction(attempt).executeWithoutResult(run);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		return run.finish(failure, Duration.ofNanos(System.nanoTime() - start));
	}

	private TransactionTemplate transaction(Attempt attempt) {
		TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);
		transaction.setName("workhorse." + attempt.type());
		transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		// a stricter one could not lock a row that a heartbeat has changed meanwhile
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		return transaction;
	}

	/**
	 * One handler in its transaction.
	 */
	private final class Run implements Consumer<TransactionStatus>, TransactionSynchronization {

		private final Attempt attempt;

		private @Nullable Settlement settlement;

		private boolean ended;

		private boolean refused;

		private boolean stale;

		private boolean committed;

		Run(Attempt attempt) {
			this.attempt = attempt;
		}

		@Override
		public void accept(TransactionStatus status) {
			if (!TransactionalRunner.this.jobStore.isActive()) {
				throw new IllegalStateException("The transaction manager of transactional handlers does not expose its "
						+ "connection for the job store's DataSource; give the job store one that does");
			}
			this.settlement = TransactionalRunner.this.runner.run(this.attempt);
			// from here on an interrupt would only hurt the connection
			this.attempt.leave();
			if (!this.settlement.isCommitted() || !settle(this.settlement, status)) {
				status.setRollbackOnly();
			}
		}

		/**
		 * Whoever ends the attempt first decides: after that nobody else stores an end,
		 * and the rest is up to the fence.
		 */
		private boolean settle(Settlement settlement, TransactionStatus status) {
			if (status.isRollbackOnly()) {
				throw new UnexpectedRollbackException("The handler returned, but its transaction is marked as "
						+ "rollback-only, for example by a @Transactional method that threw an exception");
			}
			status.flush();
			this.ended = this.attempt.end();
			this.refused = !this.ended;
			if (this.refused) {
				return false;
			}
			TransactionSynchronizationManager.registerSynchronization(this);
			TransactionalRunner.this.progress.storeQuietly(List.of(this.attempt));
			this.stale = !TransactionalRunner.this.settlements.settleWithin(settlement);
			return !this.stale;
		}

		/**
		 * Whether nobody but this transaction itself took the lease.
		 */
		private boolean isStillHeld() {
			try {
				return !TransactionalRunner.this.leases.stillHeld(List.of(this.attempt)).isEmpty();
			}
			catch (DataAccessException ex) {
				logger.debug("Could not look at the lease: {}", this.attempt, ex);
				return false;
			}
		}

		@Override
		public void afterCompletion(int status) {
			this.committed = (status == STATUS_COMMITTED);
		}

		@Nullable Settlement finish(@Nullable Throwable failure, Duration duration) {
			Settlement settlement = this.settlement;
			if (this.stale && isStillHeld()) {
				this.attempt.reopen();
				return TransactionalRunner.this.runner.failed(this.attempt, new IllegalStateException(
						"The handler superseded its own execution within its transaction, which was rolled back; let "
								+ "an execution that reinvokes its own dedupe key not be transactional"),
						duration);
			}
			if (this.stale) {
				TransactionalRunner.this.observer.leaseLost(this.attempt);
				return null;
			}
			if (this.committed && settlement != null) {
				if (failure != null) {
					logger.warn("Committed, but something failed after that: {}", this.attempt, failure);
				}
				TransactionalRunner.this.observer.settled(settlement);
				return null;
			}
			if (settlement != null && (this.refused || !settlement.isCommitted())) {
				return settlement;
			}
			Settlement failed = TransactionalRunner.this.runner.failed(this.attempt, (failure != null) ? failure
					: new UnexpectedRollbackException("The handler's transaction was not committed"), duration);
			if (this.ended && settlement != null) {
				// a connection may die after the commit and before it says so
				this.attempt.mayHaveEnded(settlement);
				this.attempt.reopen();
			}
			return failed;
		}

	}

}
