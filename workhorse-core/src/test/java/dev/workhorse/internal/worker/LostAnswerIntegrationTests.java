package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for ends of attempts that are stored, but whose connection dies before it says
 * so.
 */
class LostAnswerIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final LostAnswers link = new LostAnswers(database.dataSource(), "result, error, delay_ms");

	private final CountDownLatch go = new CountDownLatch(1);

	private final List<String> told = new CopyOnWriteArrayList<>();

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@CsvSource({ "succeed, SUCCEEDED, end 1 succeeded", "retry, SCHEDULED, end 1 retried",
			"give-up, FAILED, end 1 failed" })
	void storedEndIsReportedAsStored(String payload, JobState state, String end) {
		Workhorse node = start();
		UUID job = enqueue(node, payload);
		this.nodes.await(job, JobState.RUNNING);
		this.link.lose(1);
		this.go.countDown();
		this.nodes.await(job, state);
		Await.until("told", Nodes.PATIENCE, () -> !this.told.isEmpty());
		assertThat(this.link.left()).isZero();
		assertThat(this.told).containsExactly(end);
		Await.until("out of hand", () -> node.workerStatus().inHand().get("lost") == 0);
	}

	@Test
	void storedReleaseIsReportedAsStored() {
		Workhorse node = start();
		UUID job = enqueue(node, "succeed");
		this.nodes.await(job, JobState.RUNNING);
		this.link.lose(1);
		node.stop(Duration.ZERO);
		assertThat(this.link.left()).isZero();
		assertThat(this.told).containsExactly("end 1 released");
		assertThat(this.nodes.job(job).state()).isEqualTo(JobState.READY);
		database.builder().build().jobs().cancel(job, "test", "done");
	}

	@Test
	void endThatWasNotStoredIsStillReportedAsLost() {
		Workhorse node = start();
		UUID job = enqueue(node, "succeed");
		this.nodes.await(job, JobState.RUNNING);
		PostgresLeases leases = new PostgresLeases(database.jdbc(), "workhorse", Nodes.LEASE);
		long fence = database.jdbc()
			.queryForObject("select fence from workhorse.job_run where job_id = ?", Long.class, job);
		Await.until("taken back", Nodes.PATIENCE, () -> {
			database.jdbc()
				.update("update workhorse.job_run set lease_until = workhorse.clock() - interval '1 s',"
						+ " queue = 'elsewhere' where job_id = ? and state = 'running'", job);
			return !leases.recover(List.of(new Lease(job, fence))).isEmpty();
		});
		this.link.lose(1);
		this.go.countDown();
		Await.until("told", Nodes.PATIENCE, () -> !this.told.isEmpty());
		assertThat(this.told).containsExactly("lost");
		database.jdbc().update("update workhorse.job set queue = 'elsewhere' where id = ?", job);
	}

	@Test
	void transactionWhoseCommitIsNotConfirmedIsReportedAsItEnded() {
		Workhorse node = startTransactional((transaction) -> transaction.commit());
		UUID job = enqueue(node, "succeed");
		this.go.countDown();
		this.nodes.await(job, JobState.SUCCEEDED);
		Await.until("told", Nodes.PATIENCE, () -> !this.told.isEmpty());
		assertThat(this.told).containsExactly("end 1 succeeded");
		Await.until("out of hand", () -> node.workerStatus().inHand().get("lost") == 0);
	}

	@Test
	void transactionWhoseCommitWasLostIsReportedAsFailed() {
		Workhorse node = startTransactional((transaction) -> transaction.rollback());
		UUID job = enqueue(node, "succeed");
		this.nodes.await(job, JobState.RUNNING);
		// nor is it confirmed that it failed
		this.link.lose(1);
		this.go.countDown();
		this.nodes.await(job, JobState.SCHEDULED);
		Await.until("told", Nodes.PATIENCE, () -> !this.told.isEmpty());
		assertThat(this.link.left()).isZero();
		assertThat(this.told).containsExactly("end 1 retried");
		database.builder().build().jobs().cancel(job, "test", "done");
	}

	/**
	 * Start a node whose first commit of a handler fails after it did what is given.
	 */
	private Workhorse startTransactional(Ending ending) {
		AtomicBoolean failed = new AtomicBoolean();
		JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource()) {

			@Override
			protected void doCommit(DefaultTransactionStatus status) {
				if (failed.getAndSet(true)) {
					super.doCommit(status);
					return;
				}
				try {
					ending.end(((ConnectionHolder) Objects
						.requireNonNull(TransactionSynchronizationManager.getResource(database.dataSource())))
						.getConnection());
				}
				catch (SQLException ex) {
					throw new IllegalStateException(ex);
				}
				throw new TransactionSystemException("answer lost");
			}

		};
		return this.nodes.start((builder) -> builder.workOn("lost", 1)
			.workerDataSource(this.link)
			.transactionManager(manager)
			.listener(listener())
			.handler(HandlerDefinition.of("lost", String.class, (payload, context) -> {
				this.go.await();
				return "done";
			}).inTransaction()));
	}

	private Workhorse start() {
		return this.nodes.start((builder) -> builder.workOn("lost", 1)
			.workerDataSource(this.link)
			.listener(listener())
			.handler(HandlerDefinition.of("lost", String.class, (payload, context) -> {
				this.go.await();
				if (!payload.equals("succeed")) {
					throw new IllegalStateException(payload.toString());
				}
				return "done";
			})));
	}

	private static UUID enqueue(Workhorse node, String payload) {
		return node.queue()
			.enqueue("lost", payload,
					EnqueueOptions.defaults()
						.queue("lost")
						.maxAttempts(payload.equals("give-up") ? 1 : 5)
						.retryPolicy(RetryPolicy.fixed(Duration.ofHours(1))));
	}

	private WorkhorseListener listener() {
		return new WorkhorseListener() {

			@Override
			public void onAttemptEnd(AttemptEnded ended) {
				LostAnswerIntegrationTests.this.told.add("end " + ended.attempt() + " " + ended.end());
			}

			@Override
			public void onLeaseLost(UUID jobId, String queue, String type) {
				LostAnswerIntegrationTests.this.told.add("lost");
			}

		};
	}

	/**
	 * How a transaction ends.
	 */
	private interface Ending {

		void end(Connection transaction) throws SQLException;

	}

}
