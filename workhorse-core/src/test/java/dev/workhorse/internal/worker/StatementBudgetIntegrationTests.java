package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.StatementCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how many statements a worker sends.
 */
class StatementBudgetIntegrationTests {

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
	void drainsShortJobsInBatches() {
		int jobs = 2_000;
		Queue queue = database.queue();
		database.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < jobs; i++) {
				queue.enqueue("short", i);
			}
		});
		StatementCounter counter = StatementCounter.on(database.dataSource());
		AtomicInteger mostInHand = new AtomicInteger();
		AtomicInteger ran = new AtomicInteger();
		this.nodes.start((node) -> node.workerDataSource(counter.dataSource())
			.pollInterval(Duration.ofSeconds(1))
			.listener(new WorkhorseListener() {

				@Override
				public void onClaim(String name, int claimed) {
					mostInHand.accumulateAndGet(claimed, Math::max);
				}

			})
			.handler(HandlerDefinition.of("short", Integer.class, (payload, context) -> {
				ran.incrementAndGet();
				return null;
			})));
		Await.until("all run", Nodes.PATIENCE, () -> database.count("job_run") == 0);
		assertThat(ran).hasValue(jobs);
		assertThat(counter.statements()).as("statements for %d jobs", jobs).isLessThan(jobs / 10);
		assertThat(mostInHand.get()).as("the largest claim").isBetween(11, 510);
	}

	@Test
	void doesNotClaimSlowJobsAhead() {
		CountDownLatch end = new CountDownLatch(1);
		for (int i = 0; i < 12; i++) {
			database.queue().enqueue("slow", i, EnqueueOptions.defaults().queue("slow"));
		}
		Workhorse node = this.nodes.start((builder) -> builder.workOn("slow", 3)
			.handler(HandlerDefinition.of("slow", Integer.class, (payload, context) -> {
				Nodes.pass(Duration.ofMillis((end.getCount() > 0) ? 250 : 0));
				return null;
			})));
		for (int i = 0; i < 20; i++) {
			assertThat(node.workerStatus().inHand().getOrDefault("slow", 0)).isLessThanOrEqualTo(3);
			Nodes.pass(Duration.ofMillis(20));
		}
		end.countDown();
		Await.until("all run", Nodes.PATIENCE, () -> database.count("job_run") == 0);
	}

	@Test
	void idleNodeSendsFewStatements() {
		StatementCounter counter = StatementCounter.on(database.dataSource());
		this.nodes.start((node) -> node.workerDataSource(counter.dataSource())
			.pollInterval(Duration.ofSeconds(1))
			.lease(Duration.ofSeconds(30))
			.workOn("one", 5)
			.workOn("two", 5)
			.handler(HandlerDefinition.of("idle", Integer.class, (payload, context) -> null)));
		Await.until("the statements of the start are over", () -> Collections
			.frequency(counter.sql().stream().map(StatementBudgetIntegrationTests::kind).toList(), "promotion") >= 2);
		counter.reset();
		Nodes.pass(Duration.ofSeconds(3));
		assertThat(counter.sql().stream().map(StatementBudgetIntegrationTests::kind).distinct())
			.as("a claim per queue, and one question for all the rest")
			.containsExactlyInAnyOrder("claim", "promotion");
		assertThat(counter.statements()).isBetween(4, 3 * (2 + 1) + 5);
	}

	private static String kind(String sql) {
		if (sql.contains("leases_expired")) {
			return "promotion";
		}
		return (sql.contains("picked")) ? "claim" : sql;
	}

}
