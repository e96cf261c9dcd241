package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.Handler;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers whose effects and success are one transaction.
 */
class TransactionalHandlerIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final JdbcTemplate jdbc = database.jdbc();

	private final Nodes nodes = new Nodes(database);

	@BeforeAll
	static void createEffects() {
		jdbc.execute("create table effect (job_id uuid not null, what text not null)");
		jdbc.execute("create table checked (what text unique deferrable initially deferred)");
	}

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void effectsAndSuccessAreOneTransactionAndListenersAreToldAfterIt() {
		List<String> told = new CopyOnWriteArrayList<>();
		List<String> names = new CopyOnWriteArrayList<>();
		this.nodes.start((node) -> node.listener(new WorkhorseListener() {

			@Override
			public void onAttemptEnd(AttemptEnded ended) {
				told.add(ended.end() + " " + ended.attempt() + " " + database.count("job_outcome"));
			}

		}).handler(transactional("together", (payload, context) -> {
			effect(context, "row");
			names.add(TransactionSynchronizationManager.getCurrentTransactionName());
			return "done";
		})));
		long before = database.count("job_outcome");
		UUID job = enqueue("together");
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns("\"done\"", JobDetails::result)
			.returns(1, JobDetails::attempt)
			.returns(List.of(), JobDetails::errors);
		assertThat(jdbc.queryForObject("""
				select effect.xmin::text = job_outcome.xmin::text
				from effect
				join workhorse.job_outcome using (job_id)
				where job_id = ?
				""", Boolean.class, job)).isTrue();
		Await.until("told", () -> !told.isEmpty());
		assertThat(told).containsExactly("succeeded 1 " + (before + 1));
		assertThat(names).containsExactly("workhorse.together");
	}

	@Test
	void exceptionRollsBackTheEffectsAndTheAttemptIsRetried() {
		Workhorse node = this.nodes.start((builder) -> builder.handler(transactional("fails", (payload, context) -> {
			effect(context, "attempt " + context.attempt());
			database.queue().enqueue("follow-up", "x", EnqueueOptions.defaults().queue("nobody"));
			if (context.attempt() == 1) {
				throw new IllegalStateException("after the writes");
			}
			return null;
		})));
		UUID job = enqueue("fails");
		JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
		assertThat(done.errors()).singleElement().returns("after the writes", JobDetails.AttemptError::message);
		assertThat(effects(job)).containsExactly("attempt 2");
		assertThat(database.count("job where type = 'follow-up'")).as("jobs of the attempt that committed").isOne();
		assertThat(node.workerStatus().inHand()).containsEntry("default", 0);
	}

	@Test
	void attemptWhoseLeaseWasTakenOverLeavesNoEffects() {
		CountDownLatch first = new CountDownLatch(1);
		AtomicInteger lost = new AtomicInteger();
		try (Logs logs = new Logs()) {
			Workhorse node = this.nodes
				.start((builder) -> builder.workOn("default", 2).listener(new WorkhorseListener() {

					@Override
					public void onLeaseLost(UUID jobId, String queue, String type) {
						lost.incrementAndGet();
					}

				}).handler(transactional("zombie", (payload, context) -> {
					effect(context, "attempt " + context.attempt());
					if (context.attempt() == 1) {
						first.await();
					}
					return "attempt " + context.attempt();
				})));
			UUID job = enqueue("zombie");
			this.nodes.await(job, JobState.RUNNING);
			jdbc.update(TAKE_OVER, job);
			JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
			first.countDown();
			awaitIdle(node);
			assertThat(effects(job)).containsExactly("attempt 2");
			assertThat(this.nodes.job(job)).isEqualTo(done).returns("\"attempt 2\"", JobDetails::result);
			Await.until("told", () -> lost.get() > 0);
			assertThat(lost).hasValue(1);
			assertThat(logs.containing("Lease lost")).singleElement().asString().startsWith("INFO");
		}
	}

	@Test
	void successWaitsForWhoeverHasLockedTheRowAndLooksAgain() {
		CountDownLatch goOn = new CountDownLatch(1);
		this.nodes.start((node) -> node.handler(transactional("locked", (payload, context) -> {
			effect(context, "attempt " + context.attempt());
			goOn.await();
			return null;
		})));
		UUID kept = enqueue("locked");
		UUID taken = enqueue("locked");
		this.nodes.await(kept, JobState.RUNNING);
		this.nodes.await(taken, JobState.RUNNING);
		database.transaction().executeWithoutResult((status) -> {
			jdbc.queryForList("select from workhorse.job_run where job_id = ? for update", kept);
			jdbc.update(TAKE_OVER, taken);
			goOn.countDown();
			database.awaitLockWaiters(2);
		});
		assertThat(this.nodes.await(kept, JobState.SUCCEEDED).attempt()).isOne();
		assertThat(effects(kept)).containsExactly("attempt 1");
		assertThat(this.nodes.await(taken, JobState.SUCCEEDED).attempt()).isEqualTo(2);
		assertThat(effects(taken)).containsExactly("attempt 2");
	}

	@Test
	void rollbackOnlyTransactionFailsTheAttempt() {
		this.nodes.start((node) -> node.handler(transactional("marked", (payload, context) -> {
			effect(context, "lost");
			database.transaction().executeWithoutResult((status) -> status.setRollbackOnly());
			return null;
		})));
		UUID job = enqueue("marked", options().maxAttempts(1));
		JobDetails failed = this.nodes.await(job, JobState.FAILED);
		assertThat(failed.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("marked as rollback-only"));
		assertThat(effects(job)).isEmpty();
	}

	@Test
	void swallowedSqlErrorFailsTheAttempt() {
		this.nodes.start((node) -> node.handler(transactional("swallowed", (payload, context) -> {
			effect(context, "lost");
			try {
				jdbc.execute("select 1 / 0");
			}
			catch (DataAccessException ex) {
				// PostgreSQL has aborted the transaction
			}
			return null;
		})));
		UUID job = enqueue("swallowed", options().maxAttempts(1));
		assertThat(this.nodes.await(job, JobState.FAILED).errors()).hasSize(1);
		assertThat(effects(job)).isEmpty();
	}

	@Test
	void failedCommitIsRetriedAndTheEffectsAreThereOnce() {
		Ends ends = new Ends();
		jdbc.update("insert into checked values ('taken')");
		this.nodes.start((node) -> node.listener(ends).handler(transactional("commit", (payload, context) -> {
			effect(context, "attempt " + context.attempt());
			jdbc.update("insert into checked values (?)", (context.attempt() == 1) ? "taken" : "free");
			return null;
		})));
		UUID job = enqueue("commit");
		JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
		assertThat(done).returns(2, JobDetails::attempt);
		assertThat(done.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("checked_what_key"));
		assertThat(effects(job)).containsExactly("attempt 2");
		Await.until("told", () -> ends.told.size() == 2);
		assertThat(ends.told).containsExactly("retried", "succeeded");
	}

	@Test
	void whatFailsAfterTheCommitChangesNothing() {
		Ends ends = new Ends();
		this.nodes.start((node) -> node.listener(ends).handler(transactional("after", (payload, context) -> {
			effect(context, "attempt " + context.attempt());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					throw new IllegalStateException("after the commit");
				}

			});
			return null;
		})));
		UUID job = enqueue("after");
		Await.until("told", Nodes.PATIENCE, () -> !ends.told.isEmpty());
		assertThat(ends.told).containsExactly("succeeded");
		assertThat(this.nodes.job(job)).returns(1, JobDetails::attempt).returns(List.of(), JobDetails::errors);
		assertThat(effects(job)).containsExactly("attempt 1");
	}

	@Test
	void attemptThatTookTooLongLeavesNoEffects() {
		CountDownLatch goOn = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.handler(transactional("slow", (payload, context) -> {
			effect(context, "attempt " + context.attempt());
			while (context.attempt() == 1 && goOn.getCount() > 0) {
				Thread.onSpinWait();
			}
			return null;
		})));
		UUID job = enqueue("slow", options().executionTimeout(Duration.ofMillis(300)));
		JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
		goOn.countDown();
		awaitIdle(node);
		assertThat(effects(job)).containsExactly("attempt 2");
		assertThat(this.nodes.job(job)).isEqualTo(done);
		assertThat(done.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("did not return within PT0.3S"));
	}

	@Test
	void timeoutsRaceCommitsAndOneOfBothWins() {
		Ends ends = new Ends();
		this.nodes.start(
				(node) -> node.workOn("default", 4).listener(ends).handler(transactional("race", (payload, context) -> {
					effect(context, "attempt " + context.attempt());
					Nodes.pass(Duration.ofMillis((context.attempt() < 10) ? 20 : 0));
					return null;
				})));
		List<UUID> jobs = Stream.generate(() -> enqueue("race", options().executionTimeout(Duration.ofMillis(22))))
			.limit(60)
			.toList();
		for (UUID job : jobs) {
			JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
			assertThat(effects(job)).as(done.toString()).containsExactly("attempt " + done.attempt());
		}
		Await.until("told", () -> Collections.frequency(ends.told, "succeeded") == jobs.size());
		assertThat(ends.told).as("some were too late, or nothing raced").contains("retried").doesNotContain("lost");
	}

	@Test
	void cancelledAttemptLeavesNoEffectsUnlessItCommits() {
		this.nodes.start((node) -> node.handler(transactional("cancelled", (payload, context) -> {
			effect(context, "lost");
			new CountDownLatch(1).await();
			return null;
		})));
		UUID job = enqueue("cancelled");
		this.nodes.await(job, JobState.RUNNING);
		jdbc.update("""
				update workhorse.job_run
				set cancel_request = '{"reason": "enough", "interrupt": true}'
				where job_id = ?
				""", job);
		this.nodes.await(job, JobState.CANCELLED);
		assertThat(effects(job)).isEmpty();
	}

	@Test
	void handlersCommitWithinTheGrace() {
		CountDownLatch begun = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.handler(transactional("grace", (payload, context) -> {
			effect(context, "kept");
			begun.countDown();
			Nodes.pass(Duration.ofMillis(300));
			return null;
		})));
		UUID job = enqueue("grace");
		Await.until("begun", Nodes.PATIENCE, () -> begun.getCount() == 0);
		node.stop(Duration.ofSeconds(20));
		assertThat(this.nodes.job(job).state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(effects(job)).containsExactly("kept");
	}

	@Test
	void whatIsGivenBackAtTheStopLeavesNoEffects() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.handler(transactional("stopped", (payload, context) -> {
			effect(context, "lost");
			begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				ended.countDown();
			}
			return "as if nothing had happened";
		})));
		UUID job = enqueue("stopped");
		Await.until("begun", Nodes.PATIENCE, () -> begun.getCount() == 0);
		node.stop(Duration.ZERO);
		Await.until("interrupted", () -> ended.getCount() == 0);
		assertThat(this.nodes.job(job)).returns(JobState.READY, JobDetails::state).returns(0, JobDetails::attempt);
		assertThat(effects(job)).isEmpty();
	}

	@Test
	void stricterIsolationOfThePoolDoesNotCollideWithHeartbeats() {
		try (HikariDataSource strict = database.database()
			.newDataSource((config) -> config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ"))) {
			Workhorse node = Workhorse.builder(strict)
				.workerDataSource(database.dataSource())
				.lease(Duration.ofMillis(600))
				.pollInterval(Duration.ofMillis(50))
				.handler(transactional("strict", (payload, context) -> {
					effect(new JdbcTemplate(strict), context, "attempt " + context.attempt());
					Nodes.pass(Duration.ofMillis(900));
					return null;
				}))
				.build();
			node.start();
			UUID job = enqueue("strict");
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt);
			node.stop(Duration.ofSeconds(5));
			assertThat(effects(job)).containsExactly("attempt 1");
		}
	}

	@Test
	void transactionManagerOfAnotherDatabaseIsRefusedBeforeTheHandlerRuns() {
		AtomicInteger runs = new AtomicInteger();
		try (HikariDataSource other = database.database().newDataSource((config) -> config.setMaximumPoolSize(1))) {
			Workhorse node = this.nodes.start((builder) -> builder.transactionManager(new JdbcTransactionManager(other))
				.handler(transactional("other", (payload, context) -> runs.incrementAndGet())));
			UUID job = enqueue("other", options().maxAttempts(1));
			assertThat(this.nodes.await(job, JobState.FAILED).errors()).singleElement()
				.satisfies((error) -> assertThat(error.message()).contains("job store's DataSource"));
			node.stop(Duration.ZERO);
		}
		assertThat(runs).hasValue(0);
	}

	@Test
	void transactionManagerIsAskedForOnlyIfItIsNeeded() {
		Workhorse plain = this.nodes.start((node) -> node.transactionManager(() -> {
			throw new IllegalStateException("not needed");
		}).handler(HandlerDefinition.of("plain", String.class, (payload, context) -> null)));
		assertThat(plain.isRunning()).isTrue();
	}

	private static final String TAKE_OVER = """
			update workhorse.job_run
			set state = 'ready', fence = fence + 1, worker = null, started_at = null, lease_until = null
			where job_id = ?
			  and state = 'running'
			""";

	private static HandlerDefinition transactional(String type, Handler handler) {
		return HandlerDefinition.of(type, String.class, handler).inTransaction();
	}

	private static EnqueueOptions options() {
		return EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(20)));
	}

	private static UUID enqueue(String type) {
		return enqueue(type, options());
	}

	private static UUID enqueue(String type, EnqueueOptions options) {
		return database.queue().enqueue(type, "x", options);
	}

	private static void effect(JobContext context, String what) {
		effect(jdbc, context, what);
	}

	private static void effect(JdbcTemplate template, JobContext context, String what) {
		template.update("insert into effect values (?, ?)", context.jobId(), what);
	}

	private static List<String> effects(UUID job) {
		return jdbc.queryForList("select what from effect where job_id = ?", String.class, job);
	}

	private static void awaitIdle(Workhorse node) {
		Await.until("no handler runs", Nodes.PATIENCE, () -> node.workerStatus().inHand().equals(Map.of("default", 0)));
	}

	/**
	 * How attempts ended.
	 */
	private static final class Ends implements WorkhorseListener {

		private final List<String> told = new CopyOnWriteArrayList<>();

		@Override
		public void onAttemptEnd(AttemptEnded ended) {
			this.told.add(ended.end());
		}

		@Override
		public void onLeaseLost(UUID jobId, String queue, String type) {
			this.told.add("lost");
		}

	}

}
