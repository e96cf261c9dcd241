package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what listeners are told, and when.
 */
class ListenerIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

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
	void listenersAreToldAfterTheCommit() {
		List<String> told = new CopyOnWriteArrayList<>();
		CountDownLatch enqueued = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.listener(new WorkhorseListener() {

			@Override
			public void onClaim(String queue, int jobs) {
				told.add("claim " + queue + " " + jobs + " running " + count("job_run where state = 'running'"));
			}

			@Override
			public void onAttemptEnd(AttemptEnded ended) {
				told.add("end " + ended.attempt() + " " + ended.end() + " outcomes " + count("job_outcome"));
			}

		}).handler(HandlerDefinition.of("told", String.class, (payload, context) -> {
			enqueued.await();
			if (context.attempt() == 1) {
				throw new IllegalStateException("again");
			}
			return null;
		})));
		// the next claim is on another thread: give it no chance to overtake the news of
		// the end
		UUID job = node.queue()
			.enqueue("told", "x", EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(500))));
		enqueued.countDown();
		this.nodes.await(job, JobState.SUCCEEDED);
		Await.until("told", () -> told.size() == 4);
		assertThat(told).containsExactly("claim default 1 running 1", "end 1 retried outcomes 0",
				"claim default 1 running 1", "end 2 succeeded outcomes 1");
	}

	@Test
	void listenersAreToldHowLongAJobWaitedAndHowManyEndsWereStoredAtOnce() {
		List<WorkhorseListener.AttemptStarted> started = new CopyOnWriteArrayList<>();
		List<Integer> stored = new CopyOnWriteArrayList<>();
		List<UUID> jobs = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			jobs.add(database.queue().enqueue("waits", "x"));
		}
		database.jdbc().update("update workhorse.job_run set run_at = run_at - interval '1 hour' where type = 'waits'");
		this.nodes.start((builder) -> builder.listener(new WorkhorseListener() {

			@Override
			public void onAttemptStart(AttemptStarted attempt) {
				started.add(attempt);
			}

			@Override
			public void onSettle(int attempts) {
				stored.add(attempts);
			}

		}).handler(HandlerDefinition.of("waits", String.class, (payload, context) -> null)));
		Await.until("stored", () -> stored.stream().mapToInt(Integer::intValue).sum() == 5);
		assertThat(started).extracting(WorkhorseListener.AttemptStarted::jobId)
			.containsExactlyInAnyOrderElementsOf(jobs);
		assertThat(started).allSatisfy((attempt) -> {
			assertThat(attempt.type()).isEqualTo("waits");
			assertThat(attempt.queue()).isEqualTo("default");
			assertThat(attempt.attempt()).isEqualTo(1);
			assertThat(attempt.waited()).isBetween(Duration.ofHours(1), Duration.ofHours(2));
		});
	}

	@Test
	void listenersAreToldWhatWasCleanedUp() {
		List<String> told = new CopyOnWriteArrayList<>();
		UUID cancelled = database.queue().enqueue("over", "x");
		Workhorse node = this.nodes.start((builder) -> builder.workerEnabled(false)
			.retention(Duration.ZERO, Duration.ZERO, Duration.ZERO)
			.maintenanceInterval(Duration.ofMillis(50))
			.listener(new WorkhorseListener() {

				@Override
				public void onMaintenance(long keys, long jobs) {
					told.add(keys + " keys, " + jobs + " jobs");
				}

			}));
		node.jobs().cancel(cancelled, "ada", "over");
		Await.until("told", () -> told.contains("0 keys, 1 jobs"));
	}

	private static long count(String from) {
		return database.count(from);
	}

}
