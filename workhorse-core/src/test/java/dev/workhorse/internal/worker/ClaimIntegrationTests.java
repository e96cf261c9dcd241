package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.internal.worker.PostgresLeases.Claim;
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

	@Test
	void claimGoesOnBehindTheLastOne() {
		PostgresLeases leases = new PostgresLeases(database.jdbc(), "workhorse", Nodes.LEASE);
		EnqueueOptions.Schedulable options = EnqueueOptions.defaults().queue("place");
		Instant past = Instant.now().minusSeconds(60);
		List<UUID> jobs = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			jobs.add(database.queue().enqueue("place", i, options.runAt(past)));
		}
		UUID low = database.queue().enqueue("place", 4, options.priority(0));
		Claim first = leases.claim(UUID.randomUUID(), "place", List.of("place"), 2, ClaimPlace.START);
		UUID urgent = database.queue().enqueue("place", 5, options.priority(9));
		UUID older = database.queue().enqueue("place", 6, options.runAt(past.minusSeconds(60)));
		Claim second = leases.claim(UUID.randomUUID(), "place", List.of("place"), 10, first.last());
		Claim third = leases.claim(UUID.randomUUID(), "place", List.of("place"), 10, ClaimPlace.START);
		assertThat(ids(first)).containsExactlyElementsOf(jobs.subList(0, 2));
		assertThat(ids(second)).containsExactly(jobs.get(2), jobs.get(3), low);
		assertThat(ids(third)).containsExactly(urgent, older);
		this.nodes.start((node) -> node.workOn("place", 2)
			.handler(HandlerDefinition.of("place", Integer.class, (payload, context) -> null)));
		Await.until("no live job", Nodes.PATIENCE, () -> live("place") == 0);
	}

	private static List<UUID> ids(Claim claim) {
		return claim.jobs().stream().map((job) -> job.lease().jobId()).toList();
	}

	@Test
	void whatComesInBeforeIsFoundWhileLargeClaimsGoOn() {
		int jobs = 20_000;
		for (int first = 0; first < jobs; first += 1_000) {
			database.queue()
				.enqueueAll(Collections.nCopies(1_000,
						new EnqueueRequest("much", "ordinary", EnqueueOptions.defaults().queue("much"))));
		}
		AtomicInteger ran = new AtomicInteger();
		AtomicInteger ranBeforeUrgent = new AtomicInteger();
		this.nodes.start((node) -> node.workOn("much", 4)
			.lease(Duration.ofSeconds(30))
			.handler(HandlerDefinition.of("much", String.class, (payload, context) -> {
				if ("urgent".equals(payload)) {
					ranBeforeUrgent.set(ran.get());
				}
				LockSupport.parkNanos(100_000);
				return ran.incrementAndGet();
			})));
		Await.until("some have run", Nodes.PATIENCE, () -> ran.get() > 1_000);
		int before = ran.get();
		database.queue().enqueue("much", "urgent", EnqueueOptions.defaults().queue("much").priority(9));
		Await.until("no live job", Nodes.PATIENCE, () -> live("much") == 0);
		assertThat(ran).hasValue(jobs + 1);
		assertThat(ranBeforeUrgent.get()).isBetween(before, jobs - 2_000);
	}

	private static int live(String queue) {
		return Objects.requireNonNull(database.jdbc()
			.queryForObject("select count(*) from workhorse.job_run where queue = ?", Integer.class, queue));
	}

}
