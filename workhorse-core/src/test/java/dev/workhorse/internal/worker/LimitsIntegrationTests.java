package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobState;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many jobs of a group run at once, and how fast the jobs of a queue start, on all
 * nodes together.
 */
class LimitsIntegrationTests {

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
	void noMoreThanTheLimitOfAGroupRunAtOnceOnTwoNodes() {
		// G13 (rails/solid_queue#689)
		Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
		Map<String, AtomicInteger> most = new ConcurrentHashMap<>();
		HandlerDefinition handler = HandlerDefinition.of("grouped", String.class, (group, context) -> {
			String name = String.valueOf(group);
			int now = running.computeIfAbsent(name, (key) -> new AtomicInteger()).incrementAndGet();
			most.computeIfAbsent(name, (key) -> new AtomicInteger()).accumulateAndGet(now, Math::max);
			Nodes.pass(Duration.ofMillis(10));
			running.get(name).decrementAndGet();
			return null;
		});
		List<UUID> jobs = new ArrayList<>();
		for (int i = 0; i < 120; i++) {
			String group = "group-" + i % 3;
			jobs.add(database.queue()
				.enqueue("grouped", group, EnqueueOptions.defaults().queue("groups").concurrencyKey(group)));
		}
		for (int i = 0; i < 2; i++) {
			this.nodes.start((node) -> node.workOn("groups", 32).limitPerKey("groups", 2).handler(handler));
		}
		jobs.forEach((job) -> this.nodes.await(job, JobState.SUCCEEDED));
		assertThat(most).hasSize(3);
		assertThat(most.values()).extracting(AtomicInteger::get).allSatisfy((n) -> assertThat(n).isBetween(1, 2));
		assertThat(most.values()).extracting(AtomicInteger::get).contains(2);
	}

	@Test
	void fullGroupHoldsBackNeitherOtherGroupsNorJobsWithoutOne() {
		List<UUID> blocked = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			blocked.add(enqueue("full", "full"));
		}
		database.jdbc().update("""
				update workhorse.job_run
				set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(), started_at = now(),
				    lease_until = now() + interval '1 hour'
				where job_id = ?
				""", blocked.get(0));
		UUID other = enqueue("other", "free");
		UUID none = database.queue().enqueue("mixed", "x", EnqueueOptions.defaults().queue("mixed"));
		this.nodes.start((node) -> node.workOn("mixed", 4)
			.limitPerKey("mixed", 1)
			.handler(HandlerDefinition.of("mixed", String.class, (payload, context) -> payload)));
		this.nodes.await(other, JobState.SUCCEEDED);
		this.nodes.await(none, JobState.SUCCEEDED);
		assertThat(this.nodes.job(blocked.get(1)).state()).isEqualTo(JobState.READY);
		// the node that held it has died
		database.jdbc()
			.update("update workhorse.job_run set lease_until = now() - interval '1 s' where job_id = ?",
					blocked.get(0));
		blocked.forEach((job) -> this.nodes.await(job, JobState.SUCCEEDED));
	}

	@Test
	void queueStartsNoMoreThanItsRateAllowsOnTwoNodes() {
		AtomicInteger starts = new AtomicInteger();
		for (int i = 0; i < 40; i++) {
			database.queue().enqueue("rated", i, EnqueueOptions.defaults().queue("rated"));
		}
		long begin = System.nanoTime();
		for (int i = 0; i < 2; i++) {
			this.nodes.start((node) -> node.workOn("rated", 16)
				.limitRate("rated", 10, Duration.ofSeconds(1))
				.handler(HandlerDefinition.of("rated", Integer.class, (payload, context) -> starts.incrementAndGet())));
		}
		Await.until("a full bucket has started", Nodes.PATIENCE, () -> starts.get() >= 10);
		Await.until("all have started", Nodes.PATIENCE, () -> starts.get() == 40);
		// ten at once, then ten a second
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(2_800));
	}

	private static UUID enqueue(String payload, String group) {
		return database.queue()
			.enqueue("mixed", payload, EnqueueOptions.defaults().queue("mixed").concurrencyKey(group));
	}

}
