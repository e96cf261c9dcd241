package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for attempts that lose their lease while they run.
 */
class LeaseFenceIntegrationTests {

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
	void staleResultIsRefusedAfterTakeover() {
		// G2 (jobrunr/jobrunr#811, #1118, #1283, #763)
		Outage outage = new Outage(database.dataSource());
		CountDownLatch stale = new CountDownLatch(1);
		List<UUID> lost = new CopyOnWriteArrayList<>();
		List<Boolean> known = new CopyOnWriteArrayList<>();
		try (Logs logs = new Logs()) {
			Workhorse cut = this.nodes
				.start((node) -> node.workOn("cut", 2).workerDataSource(outage).listener(new WorkhorseListener() {

					@Override
					public void onLeaseLost(UUID jobId, String queue, String type) {
						lost.add(jobId);
					}

				}).handler(HandlerDefinition.of("cut", String.class, (payload, context) -> {
					stale.await();
					known.add(context.isLeaseLost());
					return "stale";
				})));
			UUID job = cut.queue().enqueue("cut", "x", EnqueueOptions.defaults().queue("cut"));
			this.nodes.await(job, JobState.RUNNING);
			outage.begin();
			this.nodes.start((node) -> node.workOn("cut", 2)
				.handler(HandlerDefinition.of("cut", String.class, (payload, context) -> "live")));
			JobDetails taken = this.nodes.await(job, JobState.SUCCEEDED);
			outage.end();
			Await.until("lease lost", Nodes.PATIENCE, () -> lost.contains(job));
			stale.countDown();
			Await.until("handler returned", () -> known.equals(List.of(true)));
			UUID next = cut.queue().enqueue("cut", "y", EnqueueOptions.defaults().queue("cut"));
			this.nodes.await(next, JobState.SUCCEEDED);
			assertThat(this.nodes.job(job)).isEqualTo(taken)
				.returns("\"live\"", JobDetails::result)
				.returns(2, JobDetails::attempt);
			assertThat(taken.errors()).singleElement().returns("lease-expired", JobDetails.AttemptError::kind);
			assertThat(lost).containsExactly(job);
			assertThat(logs.containing("Lease lost")).singleElement()
				.asString()
				.startsWith("INFO")
				.contains(job.toString());
			Await.until("healthy again", Nodes.PATIENCE, () -> cut.workerStatus().working());
		}
	}

	@Test
	void staleAndLiveAttemptInOneProcessAreToldApart() {
		// G4 (HangfireIO/Hangfire#2380): an operator queues the job again while it runs
		CountDownLatch first = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.workOn("twice", 2)
			.handler(HandlerDefinition.of("twice", String.class, (payload, context) -> {
				((context.attempt() == 1) ? first : second).await();
				return "attempt " + context.attempt();
			})));
		UUID job = node.queue().enqueue("twice", "x", EnqueueOptions.defaults().queue("twice"));
		this.nodes.await(job, JobState.RUNNING);
		requeue(job);
		Await.until("second attempt", () -> this.nodes.job(job).attempt() == 2);
		first.countDown();
		Await.until("first attempt is out of hand", () -> node.workerStatus().inHand().equals(Map.of("twice", 1)));
		assertThat(this.nodes.job(job).state()).isEqualTo(JobState.RUNNING);
		second.countDown();
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns("\"attempt 2\"", JobDetails::result);
	}

	@Test
	void staleFailureAndRetryAreRefusedToo() {
		CountDownLatch first = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.workOn("fail", 2)
			.handler(HandlerDefinition.of("fail", String.class, (payload, context) -> {
				((context.attempt() == 1) ? first : second).await();
				if (context.attempt() == 1) {
					throw new IllegalStateException("stale");
				}
				return null;
			})));
		UUID job = node.queue().enqueue("fail", "x", EnqueueOptions.defaults().queue("fail"));
		this.nodes.await(job, JobState.RUNNING);
		requeue(job);
		Await.until("second attempt", () -> this.nodes.job(job).attempt() == 2);
		first.countDown();
		Await.until("first attempt is out of hand", () -> node.workerStatus().inHand().equals(Map.of("fail", 1)));
		assertThat(this.nodes.job(job)).returns(JobState.RUNNING, JobDetails::state)
			.returns(List.of(), JobDetails::errors);
		second.countDown();
		this.nodes.await(job, JobState.SUCCEEDED);
	}

	@Test
	void recoveryAndRequeueMakeOneQueueEntry() {
		// G4 (HangfireIO/Hangfire#2380)
		UUID job = database.queue().enqueue("gone", "x", EnqueueOptions.defaults().queue("gone"));
		database.jdbc()
			.update("""
					update workhorse.job_run
					set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(),
					    started_at = workhorse.clock() - interval '1 minute', lease_until = workhorse.clock() - interval '1 s'
					where job_id = ?
					""",
					job);
		PostgresLeases leases = new PostgresLeases(database.jdbc(), "workhorse", Nodes.LEASE);
		Race.of(4)
			.run((thread) -> (thread % 2 == 0) ? requeue(job) : leases.recover(List.of(new Lease(job, 1))).size());
		assertThat(this.nodes.job(job)).returns(JobState.READY, JobDetails::state).returns(1, JobDetails::attempt);
		AtomicInteger runs = new AtomicInteger();
		for (int i = 0; i < 2; i++) {
			this.nodes.start((node) -> node.workOn("gone", 2)
				.handler(HandlerDefinition.of("gone", String.class, (payload, context) -> runs.incrementAndGet())));
		}
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(2, JobDetails::attempt);
		Nodes.pass(Duration.ofMillis(300));
		assertThat(runs).hasValue(1);
	}

	@Test
	void healthyHeartbeatKeepsALongHandlersLease() {
		// G3 (HangfireIO/Hangfire#1960, #1197; celery/celery#5306)
		AtomicInteger runs = new AtomicInteger();
		for (int i = 0; i < 2; i++) {
			this.nodes.start((node) -> node.workOn("long", 1)
				.handler(HandlerDefinition.of("long", String.class, (payload, context) -> {
					Nodes.pass(Nodes.LEASE.multipliedBy(3));
					return runs.incrementAndGet();
				})));
		}
		UUID job = database.queue().enqueue("long", "x", EnqueueOptions.defaults().queue("long"));
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt)
			.returns(List.of(), JobDetails::errors);
		assertThat(runs).hasValue(1);
	}

	@Test
	void manyShortJobsRaceTheHeartbeatWithoutAWarning() {
		// G8 (kagkarlsson/db-scheduler#654)
		List<UUID> lost = new CopyOnWriteArrayList<>();
		try (Logs logs = new Logs()) {
			Workhorse node = this.nodes.start((builder) -> builder.workOn("short", 4)
				.lease(Duration.ofMillis(300))
				.listener(new WorkhorseListener() {

					@Override
					public void onLeaseLost(UUID jobId, String queue, String type) {
						lost.add(jobId);
					}

				})
				.handler(HandlerDefinition.of("short", Integer.class, (payload, context) -> {
					Nodes.pass(Duration.ofMillis(1));
					return null;
				})));
			Queue queue = node.queue();
			database.transaction().executeWithoutResult((status) -> {
				for (int i = 0; i < 3_000; i++) {
					queue.enqueue("short", i, EnqueueOptions.defaults().queue("short"));
				}
			});
			Await.until("all run", Nodes.PATIENCE, () -> node.jobs().countLive().isEmpty());
			assertThat(logs.warnings()).isEmpty();
			assertThat(logs.containing("Lease lost")).hasSameSizeAs(lost);
			assertThat(lost).allSatisfy((job) -> assertThat(this.nodes.job(job).attempt()).isGreaterThan(1));
		}
	}

	private static int requeue(UUID job) {
		return database.jdbc().update("""
				update workhorse.job_run
				set state = 'ready', fence = fence + 1, worker = null, started_at = null, lease_until = null
				where job_id = ?
				  and state = 'running'
				""", job);
	}

}
