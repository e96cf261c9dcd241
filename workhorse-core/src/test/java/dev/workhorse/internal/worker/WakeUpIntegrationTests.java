package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.StatementCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for hints between nodes. Polling is so slow here that it cannot have found the
 * job.
 */
class WakeUpIntegrationTests {

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

	private static final Duration SLOW = Duration.ofSeconds(60);

	private static final Duration SOON = Duration.ofSeconds(15);

	private static HandlerDefinition handler(String type) {
		return HandlerDefinition.of(type, String.class, (payload, context) -> null);
	}

	private Workhorse accepting(DataSource hints) {
		return this.nodes.start((node) -> node.workerEnabled(false).workerDataSource(hints));
	}

	@Test
	void otherNodeStartsAtOnce() {
		Workhorse worker = this.nodes
			.start((node) -> node.pollInterval(SLOW).workOn("hint", 2).handler(handler("hint")));
		Await.until("listening", () -> worker.workerStatus().listening());
		Workhorse accepting = accepting(database.dataSource());
		for (int i = 0; i < 5; i++) {
			UUID job = accepting.queue().enqueue("hint", "x", EnqueueOptions.defaults().queue("hint"));
			Await.until("job ran", SOON, () -> accepting.jobs().find(job).orElseThrow().state() == JobState.SUCCEEDED);
		}
	}

	@Test
	void hintsAreCoalescedAndNoneFollowsARollback() {
		StatementCounter counter = StatementCounter.on(database.dataSource());
		Workhorse accepting = accepting(counter.dataSource());
		List<UUID> jobs = new ArrayList<>();
		database.transaction().executeWithoutResult((status) -> {
			accepting.queue().enqueue("many", "x", EnqueueOptions.defaults().queue("many"));
			status.setRollbackOnly();
		});
		Nodes.pass(Duration.ofMillis(200));
		assertThat(counter.statements()).isZero();
		database.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < 300; i++) {
				jobs.add(accepting.queue().enqueue("many", "x", EnqueueOptions.defaults().queue("many")));
			}
		});
		Await.until("a hint", () -> counter.statements() > 0);
		Nodes.pass(Duration.ofMillis(200));
		assertThat(counter.statements()).isBetween(1, 3);
		this.nodes.start((node) -> node.workOn("many", 2).handler(handler("many")));
		jobs.forEach((job) -> this.nodes.await(job, JobState.SUCCEEDED));
	}

	@Test
	void lostConnectionIsMadeAgainAndPollingCoversMeanwhile() {
		// G16 (zoolutions/pgbus#176)
		Workhorse worker = this.nodes
			.start((node) -> node.pollInterval(Duration.ofMillis(200)).workOn("cut", 2).handler(handler("cut")));
		Await.until("listening", () -> worker.workerStatus().listening());
		// Other pools of this database have no listener.
		Await.until("cut", () -> Boolean.TRUE.equals(database.jdbc().queryForObject("""
				select count(*) = 1 from (
				  select pg_terminate_backend(pid) from pg_stat_activity
				  where datname = current_database() and query like 'listen %'
				) as terminated
				""", Boolean.class)));
		Await.until("noticed", () -> !worker.workerStatus().listening());
		UUID polled = database.queue().enqueue("cut", "x", EnqueueOptions.defaults().queue("cut"));
		Await.until("found by polling", SOON, () -> this.nodes.job(polled).state() == JobState.SUCCEEDED);
		Await.until("listening again", SOON, () -> worker.workerStatus().listening());
	}

	@Test
	void shortDelaysDoNotWaitForThePoll() {
		// F5 (riverqueue/river#619)
		AtomicInteger attempts = new AtomicInteger();
		Workhorse node = this.nodes.start((builder) -> builder.pollInterval(SLOW)
			.workOn("delay", 2)
			.handler(HandlerDefinition.of("delay", String.class, (payload, context) -> {
				if (context.attempt() < 4) {
					attempts.incrementAndGet();
					throw new IllegalStateException("again");
				}
				return null;
			})));
		UUID fixed = node.queue()
			.enqueue("delay", "x",
					EnqueueOptions.defaults().queue("delay").retryPolicy(RetryPolicy.fixed(Duration.ofMillis(200))));
		// a delay of nothing among them
		UUID random = node.queue()
			.enqueue("delay", "x",
					EnqueueOptions.defaults()
						.queue("delay")
						.retryPolicy(RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(1))));
		Instant due = Instant.now().plusMillis(700);
		UUID later = node.queue()
			.enqueue("delay", "x",
					EnqueueOptions.defaults()
						.queue("delay")
						.runAt(due)
						.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))));
		for (UUID job : List.of(fixed, random, later)) {
			Await.until("job ran", SOON, () -> this.nodes.job(job).state() == JobState.SUCCEEDED);
		}
		assertThat(attempts).hasValue(9);
		assertThat(this.nodes.job(later).errors().get(0).at()).isAfterOrEqualTo(due.truncatedTo(ChronoUnit.MICROS));
	}

	@Test
	void expiredLeaseIsTakenOverBeforeThePoll() {
		Queue queue = database.queue();
		this.nodes.start((node) -> node.pollInterval(SLOW).workOn("expired", 2).handler(handler("expired")));
		UUID job = queue.enqueue("expired", "x",
				EnqueueOptions.defaults().queue("expired").runAt(Instant.now().plusSeconds(3600)));
		database.jdbc().update("""
				update workhorse.job_run
				set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(),
				    started_at = workhorse.clock(), lease_until = workhorse.clock() + interval '1 s'
				where job_id = ?
				""", job);
		Await.until("job ran", SOON, () -> this.nodes.job(job).state() == JobState.SUCCEEDED);
	}

	@Test
	void nodeThatPromotesAJobOfAnotherNodesQueueTellsThatNode() {
		Workhorse worker = this.nodes
			.start((node) -> node.pollInterval(SLOW).workOn("theirs", 2).handler(handler("theirs")));
		Await.until("listening", () -> worker.workerStatus().listening());
		this.nodes.start((node) -> node.workOn("ours", 2).handler(handler("ours")));
		UUID job = database.queue()
			.enqueue("theirs", "x", EnqueueOptions.defaults().queue("theirs").runAt(Instant.now().plusSeconds(1)));
		Await.until("job ran", SOON, () -> this.nodes.job(job).state() == JobState.SUCCEEDED);
	}

}
