package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code stop}.
 */
class GracefulStopIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final AtomicInteger waiting = new AtomicInteger();

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private HandlerDefinition handler(String type, CountDownLatch end, AtomicInteger interrupted) {
		return HandlerDefinition.of(type, String.class, (payload, context) -> {
			if (!"block".equals(payload)) {
				return null;
			}
			try {
				this.waiting.incrementAndGet();
				end.await();
			}
			catch (InterruptedException ex) {
				interrupted.incrementAndGet();
			}
			return "ended";
		});
	}

	@Test
	void handlersFinishWithinTheGraceWhileHeartbeatsGoOn() throws Exception {
		// G6 (kagkarlsson/db-scheduler#365)
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger interrupted = new AtomicInteger();
		EnqueueOptions options = EnqueueOptions.defaults().queue("grace");
		Workhorse node = this.nodes
			.start((builder) -> builder.workOn("grace", 1).handler(handler("grace", end, interrupted)));
		// short jobs first, so that the next ones are claimed ahead
		for (int i = 0; i < 30; i++) {
			this.nodes.await(node.queue().enqueue("grace", "x", options), JobState.SUCCEEDED);
		}
		List<UUID> jobs = new ArrayList<>();
		database.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < 21; i++) {
				jobs.add(node.queue().enqueue("grace", (i == 0) ? "block" : "x", options.priority((i == 0) ? 9 : 0)));
			}
		});
		UUID blocked = jobs.remove(0);
		Await.until("jobs are claimed ahead", () -> node.workerStatus().inHand().getOrDefault("grace", 0) > 5);
		CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> node.stop(Duration.ofSeconds(60)));
		for (UUID job : jobs) {
			assertThat(this.nodes.await(job, JobState.READY)).returns(0, JobDetails::attempt);
		}
		this.nodes.start((builder) -> builder.workOn("grace", 1).handler(handler("grace", end, interrupted)));
		for (UUID job : jobs) {
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt);
		}
		Nodes.pass(Nodes.LEASE.multipliedBy(2));
		assertThat(this.nodes.job(blocked)).returns(JobState.RUNNING, JobDetails::state)
			.returns(1, JobDetails::attempt);
		// answers while it stops
		assertThat(node.isRunning()).isTrue();
		assertThat(node.workerStatus().working()).isFalse();
		assertThat(stop).isNotDone();
		end.countDown();
		stop.get(20, TimeUnit.SECONDS);
		assertThat(this.nodes.job(blocked)).returns(JobState.SUCCEEDED, JobDetails::state)
			.returns(1, JobDetails::attempt)
			.returns(List.of(), JobDetails::errors);
		assertThat(interrupted).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 300 })
	void whatIsLeftIsReleasedWithoutCostingAnAttempt(long graceMillis) {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger interrupted = new AtomicInteger();
		Workhorse node = this.nodes
			.start((builder) -> builder.workOn("left", 2).handler(handler("left", end, interrupted)));
		List<UUID> jobs = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			jobs.add(node.queue().enqueue("left", "block", EnqueueOptions.defaults().queue("left")));
		}
		// claimed is not begun yet
		Await.until("both handlers wait", Nodes.PATIENCE, () -> this.waiting.get() == 2);
		node.stop(Duration.ofMillis(graceMillis));
		assertThat(interrupted).hasValue(2);
		for (UUID job : jobs) {
			JobDetails released = this.nodes.job(job);
			assertThat(released).returns(JobState.READY, JobDetails::state).returns(0, JobDetails::attempt);
			assertThat(released.errors()).extracting(JobDetails.AttemptError::kind).containsExactly("attempt-released");
		}
		assertThat(node.jobs().workers()).isEmpty();
		end.countDown();
		this.nodes.start((builder) -> builder.workOn("left", 2).handler(handler("left", end, interrupted)));
		for (UUID job : jobs) {
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt);
		}
	}

	@Test
	void releasedJobKeepsItsPlaceInTheQueue() {
		CountDownLatch end = new CountDownLatch(1);
		Workhorse node = this.nodes
			.start((builder) -> builder.workOn("place", 1).handler(handler("place", end, new AtomicInteger())));
		UUID first = node.queue().enqueue("place", "block", EnqueueOptions.defaults().queue("place"));
		Instant due = this.nodes.await(first, JobState.RUNNING).runAt();
		node.stop(Duration.ZERO);
		assertThat(this.nodes.job(first)).returns(JobState.READY, JobDetails::state).returns(due, JobDetails::runAt);
		end.countDown();
		this.nodes.start((builder) -> builder.workOn("place", 1).handler(handler("place", end, new AtomicInteger())));
		this.nodes.await(first, JobState.SUCCEEDED);
	}

	@Test
	void poolMayBeClosedAfterwards() {
		// G12 (jobrunr/jobrunr#1528; spring-batch#5312; dolphinscheduler#1506)
		CountDownLatch end = new CountDownLatch(1);
		HikariDataSource pool = database.database().newDataSource((config) -> config.setMaximumPoolSize(8));
		try (Logs logs = new Logs()) {
			Workhorse node = Workhorse.builder(pool)
				.lease(Nodes.LEASE)
				.pollInterval(Duration.ofMillis(10))
				.workOn("closed", 4)
				.handler(handler("closed", end, new AtomicInteger()))
				.build();
			node.start();
			UUID blocked = node.queue().enqueue("closed", "block", EnqueueOptions.defaults().queue("closed"));
			this.nodes.await(blocked, JobState.RUNNING);
			for (int i = 0; i < 200; i++) {
				node.queue().enqueue("closed", "x", EnqueueOptions.defaults().queue("closed"));
			}
			node.stop(Duration.ofMillis(100));
			pool.close();
			Nodes.pass(Duration.ofMillis(500));
			assertThat(logs.warnings()).singleElement().asString().startsWith("Giving back 1 jobs");
			assertThat(this.nodes.job(blocked)).returns(JobState.READY, JobDetails::state);
			end.countDown();
			this.nodes
				.start((builder) -> builder.workOn("closed", 4).handler(handler("closed", end, new AtomicInteger())));
			this.nodes.await(blocked, JobState.SUCCEEDED);
			Await.until("the rest", Nodes.PATIENCE, () -> database.count("job_run") == 0);
		}
	}

	@Test
	void stopEndsInTimeWithoutADatabase() {
		Outage outage = new Outage(database.dataSource());
		CountDownLatch end = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.workOn("down", 2)
			.workerDataSource(outage)
			.handler(handler("down", end, new AtomicInteger())));
		UUID job = node.queue().enqueue("down", "block", EnqueueOptions.defaults().queue("down"));
		this.nodes.await(job, JobState.RUNNING);
		outage.beginHanging();
		long start = System.nanoTime();
		node.stop(Duration.ofMillis(500));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
		end.countDown();
		this.nodes.start((builder) -> builder.workOn("down", 2).handler(handler("down", end, new AtomicInteger())));
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(2, JobDetails::attempt);
	}

	@Test
	void nodeThatStopsWithoutItsDatabaseSaysSoInALineEach() {
		Outage outage = new Outage(database.dataSource());
		CountDownLatch end = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.workOn("gone", 2)
			.workerDataSource(outage)
			.maintenanceInterval(Duration.ofMillis(50))
			.handler(handler("gone", end, new AtomicInteger())));
		UUID job = node.queue().enqueue("gone", "block", EnqueueOptions.defaults().queue("gone"));
		this.nodes.await(job, JobState.RUNNING);
		try (Logs logs = new Logs()) {
			outage.begin();
			Await.until("noticed", Nodes.PATIENCE, () -> !node.workerStatus().working());
			node.stop(Duration.ZERO);
			assertThat(logs.traces()).isEmpty();
			assertThat(logs.containing("Maintenance failed")).hasSize(1);
			assertThat(logs.containing("cut off")).hasSizeGreaterThan(2);
			assertThat(logs.containing("Could not store how 1 attempts ended")).hasSize(1);
			assertThat(logs.containing("next attempt in")).as("of an attempt that is given back").isEmpty();
		}
		end.countDown();
		this.nodes.start((builder) -> builder.workOn("gone", 2).handler(handler("gone", end, new AtomicInteger())));
		this.nodes.await(job, JobState.SUCCEEDED);
	}

	@Test
	void attemptThatWaitsTooLongForAThreadIsGivenBack() {
		CountDownLatch end = new CountDownLatch(1);
		EnqueueOptions options = EnqueueOptions.defaults().queue("wait");
		Workhorse node = this.nodes
			.start((builder) -> builder.workOn("wait", 1).handler(handler("wait", end, new AtomicInteger())));
		for (int i = 0; i < 30; i++) {
			this.nodes.await(node.queue().enqueue("wait", "x", options), JobState.SUCCEEDED);
		}
		List<UUID> jobs = new ArrayList<>();
		database.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < 11; i++) {
				jobs.add(node.queue().enqueue("wait", (i == 0) ? "block" : "x", options.priority((i == 0) ? 9 : 0)));
			}
		});
		Await.until("jobs are claimed ahead", () -> node.workerStatus().inHand().getOrDefault("wait", 0) > 5);
		this.nodes.start((builder) -> builder.workOn("wait", 1).handler(handler("wait", end, new AtomicInteger())));
		UUID blocked = jobs.remove(0);
		for (UUID job : jobs) {
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt);
		}
		end.countDown();
		this.nodes.await(blocked, JobState.SUCCEEDED);
	}

}
