package dev.workhorse.internal.worker;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for which jobs are claimed, and in which order.
 */
class ClaimIntegrationTests {

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
	void claimsByPriorityThenDueTimeThenAge() {
		Queue queue = database.queue();
		Instant past = Instant.now().minusSeconds(3600);
		queue.enqueue("order", "third", EnqueueOptions.defaults().queue("order").runAt(past.plusSeconds(2)));
		queue.enqueue("order", "second", EnqueueOptions.defaults().queue("order").runAt(past));
		queue.enqueue("order", "first", EnqueueOptions.defaults().queue("order").priority(5));
		queue.enqueue("order", "fourth", EnqueueOptions.defaults().queue("order"));
		queue.enqueue("order", "fifth", EnqueueOptions.defaults().queue("order"));
		List<Object> ran = new CopyOnWriteArrayList<>();
		this.nodes.start((node) -> node.workOn("order", 1)
			.handler(HandlerDefinition.of("order", String.class,
					(payload, context) -> ran.add(String.valueOf(payload)))));
		Await.until("five jobs", () -> ran.size() == 5);
		assertThat(ran).containsExactly("first", "second", "third", "fourth", "fifth");
	}

	@Test
	void leavesJobsOfUnknownTypesToOthers() {
		// E12 (kagkarlsson/db-scheduler#61, #166, #296)
		UUID unknown = database.queue().enqueue("unknown", 1, EnqueueOptions.defaults().queue("types").priority(9));
		UUID known = database.queue().enqueue("known", 1, EnqueueOptions.defaults().queue("types"));
		Workhorse node = this.nodes.start((builder) -> builder.workOn("types", 2)
			.handler(HandlerDefinition.of("known", Integer.class, (payload, context) -> null)));
		this.nodes.await(known, JobState.SUCCEEDED);
		assertThat(this.nodes.job(unknown)).returns(JobState.READY, JobDetails::state).returns(0, JobDetails::attempt);
		this.nodes.start((builder) -> builder.workOn("types", 2)
			.handler(HandlerDefinition.of("unknown", Integer.class, (payload, context) -> null)));
		this.nodes.await(unknown, JobState.SUCCEEDED);
		assertThat(node.workerStatus().types()).containsExactly("known");
	}

	@Test
	void fourNodesRunEveryJobOnce() {
		// G9 (quartz-scheduler/quartz#29)
		int jobs = 2_000;
		Map<UUID, AtomicInteger> runs = new ConcurrentHashMap<>();
		for (int i = 0; i < 4; i++) {
			DataSource own = database.database().newDataSource((pool) -> pool.setMaximumPoolSize(6));
			this.nodes.start((node) -> node.workOn("race", 4)
				.workerDataSource(own)
				.handler(HandlerDefinition.of("race", Integer.class,
						(payload, context) -> runs.computeIfAbsent(context.jobId(), (id) -> new AtomicInteger())
							.incrementAndGet())));
		}
		Queue queue = database.queue();
		database.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < jobs; i++) {
				queue.enqueue("race", i, EnqueueOptions.defaults().queue("race"));
			}
		});
		Await.until("no live job", Nodes.PATIENCE, () -> live("race") == 0);
		assertThat(runs).hasSize(jobs);
		assertThat(runs.values()).extracting(AtomicInteger::get).containsOnly(1);
		assertThat(database.jdbc()
			.queryForObject("select max(o.attempt) from workhorse.job_outcome o join workhorse.job on job.id = o.job_id"
					+ " where job.queue = 'race'", Integer.class))
			.isEqualTo(1);
	}

	private static int live(String queue) {
		return Objects.requireNonNull(database.jdbc()
			.queryForObject("select count(*) from workhorse.job_run where queue = ?", Integer.class, queue));
	}

}
