package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.JobContext;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for steps inside transactions.
 */
class DurableTransactionIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final EnqueueOptions QUICK = EnqueueOptions.defaults()
		.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)));

	private final JdbcTemplate jdbc = database.jdbc();

	private final Nodes nodes = new Nodes(database);

	@BeforeAll
	static void createTable() {
		database.jdbc().execute("create table written (job_id uuid not null, what text not null)");
	}

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private String write(JobContext job, String what) {
		this.jdbc.update("insert into written values (?, ?)", job.jobId(), what);
		return what;
	}

	private List<String> written(UUID job) {
		return this.jdbc.queryForList("select what from written where job_id = ? order by what", String.class, job);
	}

	@Test
	void checkpointAndChildOfATransactionalHandlerGoWithItsTransaction() {
		AtomicInteger runs = new AtomicInteger();
		this.nodes.start((node) -> node.handler(Nodes.handling("all", String.class, (payload, job) -> {
			int run = job.checkpoint("run", Integer.class, runs::incrementAndGet);
			write(job, "run " + run);
			job.invokeChild("child", "nobody", run);
			if (job.attempt() == 1) {
				throw new IllegalStateException("rolls back");
			}
			return run;
		}).inTransaction()));
		UUID job = database.queue().enqueue("all", "x", QUICK);
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("2");
		assertThat(written(job)).containsExactly("run 2");
		assertThat(this.jdbc.queryForList("select payload::text from workhorse.job where parent_id = ?", String.class,
				job))
			.containsExactly("2");
	}

	@Test
	void suspensionOfATransactionalHandlerCommitsWhatCameBefore() {
		this.nodes.start((node) -> node.handler(Nodes.handling("naps", String.class, (payload, job) -> {
			job.checkpoint("before", String.class, () -> write(job, "before"));
			job.progress("before");
			job.sleep("nap", Duration.ofMillis(300));
			job.checkpoint("after", String.class, () -> write(job, "after " + job.attempt()));
			if (job.attempt() == 1) {
				throw new IllegalStateException("rolls back to the sleep");
			}
			return "done";
		}).inTransaction()));
		UUID job = database.queue().enqueue("naps", "x", QUICK);
		assertThat(this.nodes.await(job, JobState.WAITING).progress()).isEqualTo("\"before\"");
		assertThat(written(job)).containsExactly("before");
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(2, JobDetails::attempt)
			.returns("\"done\"", JobDetails::result);
		assertThat(written(job)).containsExactly("after 2", "before");
	}

	@Test
	void checkpointThatWasRolledBackIsForgottenAtOnce() {
		AtomicInteger runs = new AtomicInteger();
		this.nodes.start((node) -> node.handler(Nodes.handling("own", String.class, (payload, job) -> {
			job.checkpoint("kept", String.class, () -> "kept");
			database.transaction().executeWithoutResult((status) -> {
				job.checkpoint("value", Integer.class, runs::incrementAndGet);
				status.setRollbackOnly();
			});
			int second = job.checkpoint("value", Integer.class, runs::incrementAndGet);
			job.checkpoint("kept", String.class, () -> "not again");
			database.transaction().executeWithoutResult((status) -> {
				Object savepoint = status.createSavepoint();
				job.checkpoint("nested", Integer.class, runs::incrementAndGet);
				status.rollbackToSavepoint(savepoint);
				job.checkpoint("nested", Integer.class, runs::incrementAndGet);
			});
			return second;
		})));
		UUID job = database.queue().enqueue("own", "x", QUICK);
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("2");
		assertThat(this.jdbc.queryForList(
				"select name || ' ' || value from workhorse.checkpoint where job_id = ? " + "order by 1", String.class,
				job))
			.containsExactly("kept \"kept\"", "nested 4", "value 2");
	}

	@Test
	void heldRunDoesNotCostALongTransactionalHandlerItsLease() {
		AtomicInteger runs = new AtomicInteger();
		this.nodes.start((node) -> node.lease(Duration.ofMillis(600))
			.handler(Nodes.handling("long", String.class, (payload, job) -> {
				runs.incrementAndGet();
				// locks the run, so that no heartbeat can renew its lease
				job.checkpoint("first", String.class, () -> "first");
				Nodes.pass(Duration.ofSeconds(2));
				return "done";
			}).inTransaction()));
		UUID job = database.queue().enqueue("long", "x", QUICK);
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		assertThat(runs).hasValue(1);
	}

}
