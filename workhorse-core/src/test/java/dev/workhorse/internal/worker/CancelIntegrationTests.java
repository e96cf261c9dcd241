package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.Handler;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cancelling a job whose handler is running.
 */
class CancelIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final Jobs jobs = database.builder().build().jobs();

	private final CountDownLatch begun = new CountDownLatch(1);

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void handlerThatGivesUpEndsItsJobAsCancelledWithTheFirstReason() throws Exception {
		UUID job = run("gives-up", (payload, context) -> {
			awaitCancellation(context);
			throw new IllegalStateException("gave up");
		});
		assertThat(this.jobs.cancel(job, "ada", "first reason")).isEqualTo(CancelOutcome.REQUESTED);
		assertThat(this.jobs.cancel(job, "bob", "second reason")).isEqualTo(CancelOutcome.REQUESTED);
		this.nodes.await(job, JobState.CANCELLED);
		assertThat(outcomeError(job)).contains("ada", "first reason").doesNotContain("second");
		assertThat(database.jdbc()
			.queryForList("select kind from workhorse.job_event where job_id = ? order by id", String.class, job))
			.containsExactly("cancel-requested", "cancelled");
		assertThat(this.jobs.cancel(job, "eve", "too late")).isEqualTo(CancelOutcome.ALREADY_FINISHED);
	}

	@Test
	void handlerThatReturnsAllTheSameHasSucceeded() throws Exception {
		UUID job = run("returns", (payload, context) -> {
			awaitCancellation(context);
			return "done";
		});
		this.jobs.cancel(job, "ada", "reason");
		this.nodes.await(job, JobState.SUCCEEDED);
	}

	@Test
	void interruptReachesAHandlerThatWaits() throws Exception {
		UUID job = run("interrupted", (payload, context) -> {
			new CountDownLatch(1).await();
			return null;
		});
		this.jobs.cancelAndInterrupt(job, "ada", "reason");
		this.nodes.await(job, JobState.CANCELLED);
	}

	@Test
	void cancelledHandlerIsNotRetried() throws Exception {
		UUID job = run("no-retry", (payload, context) -> {
			awaitCancellation(context);
			throw new IllegalStateException("would be retried");
		});
		this.jobs.cancel(job, "ada", "reason");
		assertThat(this.nodes.await(job, JobState.CANCELLED).attempt()).isOne();
	}

	@Test
	void requestOfARolledBackTransactionIsNone() throws Exception {
		CountDownLatch goOn = new CountDownLatch(1);
		UUID job = run("rolled-back", (payload, context) -> {
			goOn.await();
			throw new IllegalStateException("first attempt");
		});
		database.transaction().executeWithoutResult((status) -> {
			this.jobs.cancel(job, "ada", "mistake");
			status.setRollbackOnly();
		});
		goOn.countDown();
		Await.until("the attempt has ended", Nodes.PATIENCE, () -> this.nodes.job(job).state() != JobState.RUNNING);
		assertThat(this.nodes.job(job).state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void jobWhoseNodeDiedBeforeItCouldGiveUpIsCancelledByTheOneThatTakesOver() {
		UUID job = database.queue().enqueue("orphan", "x");
		database.jdbc().update("""
				update workhorse.job_run
				set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(), started_at = now(),
				    lease_until = now() - interval '1 s'
				where job_id = ?
				""", job);
		assertThat(this.jobs.cancel(job, "ada", "dead node")).isEqualTo(CancelOutcome.REQUESTED);
		this.nodes
			.start((node) -> node.handler(HandlerDefinition.of("orphan", String.class, (payload, context) -> "ran")));
		this.nodes.await(job, JobState.CANCELLED);
		assertThat(outcomeError(job)).contains("dead node");
	}

	private UUID run(String type, Handler handler) throws InterruptedException {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of(type, String.class, (payload, context) -> {
			this.begun.countDown();
			return handler.handle(payload, context);
		})));
		UUID job = database.queue()
			.enqueue(type, "x", EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofHours(1))));
		this.begun.await();
		return job;
	}

	private static void awaitCancellation(JobContext context) {
		Await.until("cancellation is known", Nodes.PATIENCE, context::isCancelled);
	}

	private static String outcomeError(UUID job) {
		return database.jdbc()
			.queryForObject("select error::text from workhorse.job_outcome where job_id = ?", String.class, job);
	}

}
