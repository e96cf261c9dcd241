package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Execution timeouts and deadlines.
 */
class ExecutionLimitsIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private final Nodes nodes = new Nodes(database);

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void handlerThatTakesTooLongIsInterruptedAndItsAttemptFailsOnce() {
		try (Logs logs = new Logs()) {
			UUID job = runTooLong();
			// what the interrupt makes of the handler is no second failure
			assertThat(logs.containing("Failed, next attempt in")).hasSize(1);
			Await.until("returned", Nodes.PATIENCE,
					() -> logs.containing("refused: attempt 1 of job " + job).size() == 1);
		}
	}

	private UUID runTooLong() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("slow", String.class, (payload, context) -> {
			if (context.attempt() == 1) {
				new CountDownLatch(1).await();
			}
			return "second";
		})));
		UUID job = database.queue().enqueue("slow", "x", options());
		JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
		assertThat(done.attempt()).isEqualTo(2);
		assertThat(done.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("did not return within PT0.3S"));
		return job;
	}

	@Test
	void lateResultOfAHandlerThatIgnoresInterruptsIsRefusedAndItsThreadStaysTaken() {
		CountDownLatch goOn = new CountDownLatch(1);
		List<String> told = new CopyOnWriteArrayList<>();
		try (Logs logs = new Logs()) {
			Workhorse node = this.nodes.start((builder) -> builder.listener(listener(told))
				.handler(HandlerDefinition.of("stubborn", String.class, (payload, context) -> {
					while (context.attempt() == 1 && goOn.getCount() > 0) {
						Thread.onSpinWait();
					}
					return "attempt " + context.attempt();
				})));
			UUID job = database.queue().enqueue("stubborn", "x", options());
			JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
			assertThat(done.result()).isEqualTo("\"attempt 2\"");
			assertThat(node.workerStatus().inHand()).containsEntry("default", 1);
			assertThat(told).containsExactly("timeout of stubborn in default");
			Await.until("said so", Nodes.PATIENCE,
					() -> logs.containing("keeps its slot of queue 'default'").size() == 1);
			goOn.countDown();
			Await.until("the thread is free", Nodes.PATIENCE, () -> node.workerStatus().inHand().get("default") == 0);
			assertThat(this.nodes.job(job).result()).isEqualTo("\"attempt 2\"");
			assertThat(told).containsExactly("timeout of stubborn in default", "late return of stubborn in default");
			assertThat(logs.containing("frees its slot; refused: attempt 1 of job " + job)).hasSize(1);
		}
	}

	private static WorkhorseListener listener(List<String> told) {
		return new WorkhorseListener() {

			@Override
			public void onTimeout(UUID jobId, String queue, String type) {
				told.add("timeout of %s in %s".formatted(type, queue));
			}

			@Override
			public void onLateReturn(UUID jobId, String queue, String type, Duration late) {
				assertThat(late).isPositive();
				told.add("late return of %s in %s".formatted(type, queue));
			}

		};
	}

	@Test
	void handlerThatReturnsInTimeIsLeftAlone() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("quick", String.class, (payload, context) -> {
			Nodes.pass(Duration.ofMillis(50));
			return Thread.currentThread().isInterrupted();
		})));
		for (int i = 0; i < 20; i++) {
			UUID job = database.queue()
				.enqueue("quick", "x", EnqueueOptions.defaults().executionTimeout(Duration.ofMinutes(1)));
			assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("false");
		}
	}

	@Test
	void jobPastItsDeadlineFailsWithoutRunning() {
		AtomicInteger runs = new AtomicInteger();
		UUID late = database.queue()
			.enqueue("late", "x", EnqueueOptions.defaults().deadline(Instant.now().minusSeconds(1)));
		UUID inTime = database.queue()
			.enqueue("late", "x", EnqueueOptions.defaults().deadline(Instant.now().plusSeconds(3_600)));
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("late", String.class,
				(payload, context) -> context.deadline() + " " + runs.incrementAndGet())));
		JobDetails failed = this.nodes.await(late, JobState.FAILED);
		assertThat(failed.attempt()).isZero();
		assertThat(failed.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).startsWith("The deadline"));
		this.nodes.await(inTime, JobState.SUCCEEDED);
		assertThat(runs).hasValue(1);
	}

	@Test
	void attemptThatWouldBeAfterTheDeadlineIsNotWaitedFor() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("retried", String.class, (payload, context) -> {
			throw new IllegalStateException("attempt " + context.attempt());
		})));
		UUID job = database.queue()
			.enqueue("retried", "x",
					EnqueueOptions.defaults()
						.deadline(Instant.now().plusSeconds(60))
						.retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(2))));
		JobDetails failed = this.nodes.await(job, JobState.FAILED);
		assertThat(failed.attempt()).isOne();
		assertThat(failed.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).isEqualTo("attempt 1"));
	}

	private static EnqueueOptions options() {
		return EnqueueOptions.defaults()
			.executionTimeout(TIMEOUT)
			.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50)));
	}

}
