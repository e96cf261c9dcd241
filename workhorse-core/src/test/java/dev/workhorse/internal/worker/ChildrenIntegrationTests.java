package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.ChildFailedException;
import dev.workhorse.handler.ChildOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.WaitTimeoutException;
import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for children: starting them, waiting for them and cancelling them.
 */
class ChildrenIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final EnqueueOptions QUICK = EnqueueOptions.defaults()
		.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)));

	private final Nodes nodes = new Nodes(database);

	private final Jobs jobs = database.builder().build().jobs();

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private static UUID child(UUID parent, String name) {
		return database.jdbc()
			.queryForObject("select id from workhorse.job where parent_id = ? and child_name = ?", UUID.class, parent,
					name);
	}

	private static HandlerDefinition square() {
		return Nodes.handling("square", Integer.class, (number, job) -> number * number);
	}

	@Test
	void hundredChildrenFanOutAndInWhileTheParentHoldsNoWorker() {
		AtomicInteger runs = new AtomicInteger();
		// one slot for parent and children: a parent that held it would never end
		this.nodes.start((node) -> node.workOn("default", 1)
			.handler(square())
			.handler(Nodes.handling("sum", Integer.class, (count, job) -> {
				runs.incrementAndGet();
				List<String> names = new ArrayList<>();
				for (int i = 1; i <= count; i++) {
					names.add("square of " + i);
					job.invokeChild("square of " + i, "square", i);
				}
				return job.awaitAll(names, Integer.class).stream().mapToInt(Integer::intValue).sum();
			})));
		UUID parent = database.queue().enqueue("sum", 100);
		JobDetails done = this.nodes.await(parent, JobState.SUCCEEDED);
		assertThat(done).returns("338350", JobDetails::result).returns(1, JobDetails::attempt);
		assertThat(runs).as("woken once").hasValue(2);
		assertThat(database.count("job where parent_id = '" + parent + "'")).isEqualTo(100);
		assertThat(database.count("follow_up")).isZero();
		assertThat(this.jobs.find(child(parent, "square of 7")).orElseThrow().parentId()).isEqualTo(parent);
	}

	@Test
	void noWakeUpIsLostWhenChildrenEndJustAsTheirParentsBeginToWait() {
		this.nodes.start((node) -> node.workOn("default", 8)
			.handler(square())
			.handler(Nodes.handling("pair", Integer.class, (number, job) -> {
				job.invokeChild("square", "square", number);
				return job.awaitChild("square", Integer.class);
			})));
		this.nodes.start((node) -> node.workOn("default", 8).handler(square()));
		List<UUID> parents = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			parents.add(database.queue().enqueue("pair", i));
		}
		Await.until("all parents", Nodes.PATIENCE, () -> database.count("job_run where type = 'pair'") == 0);
		for (int i = 0; i < parents.size(); i++) {
			assertThat(this.nodes.job(parents.get(i)).result()).isEqualTo(Integer.toString(i * i));
		}
	}

	@Test
	void oneChildForEachNameAlsoAcrossRetriesAndItsFailureIsThrown() {
		List<String> seen = new ArrayList<>();
		this.nodes.start((node) -> node.handler(Nodes.handling("broken", String.class, (payload, job) -> {
			throw new IllegalStateException("broken: " + payload);
		})).handler(Nodes.handling("careful", String.class, (payload, job) -> {
			job.invokeChild("child", "broken", "first " + job.attempt(), ChildOptions.defaults().maxAttempts(1));
			if (job.attempt() == 1) {
				throw new IllegalStateException("again");
			}
			try {
				return job.awaitChild("child", String.class);
			}
			catch (ChildFailedException ex) {
				seen.add(ex.getMessage());
				return ex.child().errorType() + " " + ex.child().end();
			}
		})));
		UUID parent = database.queue().enqueue("careful", "x", QUICK);
		assertThat(this.nodes.await(parent, JobState.SUCCEEDED).result())
			.isEqualTo("\"java.lang.IllegalStateException failed\"");
		assertThat(database.count("job where parent_id = '" + parent + "'")).isOne();
		assertThat(seen).singleElement()
			.satisfies((message) -> assertThat(message).contains("'child'").contains("broken: first 1"));
	}

	@Test
	void timeoutIsDecidedOnceAndTheChildGoesOn() {
		AtomicInteger timeouts = new AtomicInteger();
		this.nodes.start((node) -> node.handler(Nodes.handling("slow", String.class, (payload, job) -> {
			job.sleep("nap", Duration.ofMillis(900));
			return "late";
		})).handler(Nodes.handling("impatient", String.class, (payload, job) -> {
			UUID child = job.invokeChild("slow", "slow", null);
			try {
				return job.awaitChild("slow", String.class, Duration.ofMillis(200));
			}
			catch (WaitTimeoutException ex) {
				timeouts.incrementAndGet();
			}
			if (job.attempt() == 1) {
				Await.until("the child", Nodes.PATIENCE, () -> this.nodes.job(child).state() == JobState.SUCCEEDED);
				throw new IllegalStateException("again");
			}
			return "timed out";
		})));
		UUID parent = database.queue().enqueue("impatient", "x", QUICK);
		assertThat(this.nodes.await(parent, JobState.SUCCEEDED)).returns("\"timed out\"", JobDetails::result)
			.returns(2, JobDetails::attempt);
		assertThat(timeouts).hasValue(2);
	}

	@Test
	void cancelledParentTakesTheChildrenWithItThatAreToGoWithIt() {
		CountDownLatch release = new CountDownLatch(1);
		ChildOptions together = ChildOptions.defaults().cancelWithParent();
		this.nodes.start((node) -> node.handler(Nodes.handling("family", String.class, (payload, job) -> {
			job.invokeChild("waits", "middle", null, together);
			job.invokeChild("delayed", "middle", null, together.delay(Duration.ofHours(1)));
			job.invokeChild("alone", "nobody", null);
			job.invokeChild("runs", "stubborn", null, together);
			return job.awaitAll(List.of("waits", "alone"), String.class);
		})).handler(Nodes.handling("middle", String.class, (payload, job) -> {
			job.invokeChild("grandchild", "nobody", null, together);
			return job.awaitChild("grandchild", String.class);
		})).handler(Nodes.handling("stubborn", String.class, (payload, job) -> {
			job.invokeChild("grandchild", "nobody", null, together);
			while (!job.isCancelled() && release.getCount() > 0) {
				release.await(20, TimeUnit.MILLISECONDS);
			}
			throw new IllegalStateException("gives up");
		})));
		UUID parent = database.queue().enqueue("family", "x", QUICK);
		this.nodes.await(parent, JobState.WAITING);
		UUID waits = child(parent, "waits");
		UUID runs = child(parent, "runs");
		this.nodes.await(waits, JobState.WAITING);
		this.nodes.await(runs, JobState.RUNNING);
		Await.until("a grandchild", Nodes.PATIENCE, () -> database.count("job where parent_id = '" + runs + "'") == 1);
		assertThat(this.jobs.cancel(parent, "test", "enough")).isEqualTo(CancelOutcome.CANCELLED);
		for (UUID gone : List.of(waits, child(parent, "delayed"), child(waits, "grandchild"))) {
			assertThat(this.nodes.job(gone).state()).isEqualTo(JobState.CANCELLED);
		}
		assertThat(this.nodes.job(child(parent, "alone")).state()).isEqualTo(JobState.READY);
		assertThat(this.nodes.job(runs).state()).isEqualTo(JobState.RUNNING);
		this.nodes.await(runs, JobState.CANCELLED);
		this.nodes.await(child(runs, "grandchild"), JobState.CANCELLED);
		assertThat(this.jobs.timeline(waits)).anySatisfy((entry) -> assertThat(entry.reason()).contains("" + parent));
		release.countDown();
	}

	@Test
	void parentThatIsAskedToGiveUpWhileItsLeaseIsLostTakesItsChildrenWithIt() {
		UUID parent = database.queue().enqueue("lost", "x");
		database.jdbc()
			.update("update workhorse.job_run set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(),"
					+ " started_at = workhorse.clock(), lease_until = workhorse.clock() - interval '1 s' where job_id = ?",
					parent);
		UUID child = database.queue().enqueue("nobody", "x");
		database.jdbc()
			.update("update workhorse.job set parent_id = ?, child_name = 'c', cancel_with_parent = true, depth = 1"
					+ " where id = ?", parent, child);
		assertThat(this.jobs.cancel(parent, "test", "enough")).isEqualTo(CancelOutcome.REQUESTED);
		this.nodes.start((node) -> node.handler(square()));
		this.nodes.await(parent, JobState.CANCELLED);
		this.nodes.await(child, JobState.CANCELLED);
	}

	@Test
	void lockedParentDelaysNeitherItsChildNorOthersAndIsWokenLater() throws Exception {
		this.nodes.start((node) -> node.handler(square()).handler(Nodes.handling("waits", Integer.class, (n, job) -> {
			job.invokeChild("square", "square", n, ChildOptions.defaults().queue("later"));
			return job.awaitChild("square", Integer.class);
		})));
		UUID parent = database.queue().enqueue("waits", 3);
		this.nodes.await(parent, JobState.WAITING);
		try (Connection connection = database.dataSource().getConnection()) {
			connection.setAutoCommit(false);
			try (var lock = connection
				.prepareStatement("select from workhorse.job_run where job_id = ? for no key update")) {
				lock.setObject(1, parent);
				lock.execute();
			}
			this.nodes.start((node) -> node.workOn("later", 1).handler(square()));
			this.nodes.await(child(parent, "square"), JobState.SUCCEEDED);
			this.nodes.await(database.queue().enqueue("square", 5), JobState.SUCCEEDED);
			assertThat(this.nodes.job(parent).state()).isEqualTo(JobState.WAITING);
			assertThat(database.count("follow_up where job_id = '" + parent + "'")).isPositive();
			connection.rollback();
		}
		assertThat(this.nodes.await(parent, JobState.SUCCEEDED).result()).isEqualTo("9");
	}

	@Test
	void childThatIsPurgedOrCancelledFailsTheWait() {
		this.nodes.start((node) -> node.handler(Nodes.handling("orphaned", String.class, (queue, job) -> {
			job.invokeChild("child", "nobody", null, ChildOptions.defaults().queue(queue));
			try {
				return job.awaitChild("child", String.class);
			}
			catch (ChildFailedException ex) {
				return ex.child().end();
			}
		})));
		UUID purged = database.queue().enqueue("orphaned", "purged");
		UUID cancelled = database.queue().enqueue("orphaned", "cancelled");
		this.nodes.await(purged, JobState.WAITING);
		this.nodes.await(cancelled, JobState.WAITING);
		assertThat(this.jobs.purge("purged", "test", "gone")).isOne();
		assertThat(this.jobs.cancel(child(cancelled, "child"), "test", "gone")).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(this.nodes.await(purged, JobState.SUCCEEDED).result()).isEqualTo("\"purged\"");
		assertThat(database.count("job where parent_id = '" + purged + "'")).as("not started again").isZero();
		assertThat(this.nodes.await(cancelled, JobState.SUCCEEDED).result()).isEqualTo("\"cancelled\"");
	}

	@Test
	void generationsAreBounded() {
		this.nodes.start((node) -> node.handler(Nodes.handling("endless", Integer.class, (generation, job) -> {
			job.invokeChild("next", "endless", generation + 1, ChildOptions.defaults().maxAttempts(1));
			return null;
		})));
		database.queue().enqueue("endless", 0);
		Await.until("the last generation", Nodes.PATIENCE, () -> database.count("job_run where type = 'endless'") == 0);
		assertThat(database.count("job where type = 'endless'")).isEqualTo(33);
		JobDetails last = this.nodes.job(database.jdbc()
			.queryForObject("select id from workhorse.job where type = 'endless' and depth = 32", UUID.class));
		assertThat(last.errors().get(0).type()).isEqualTo(InvalidRequestException.class.getName());
	}

	@Test
	void retentionKeepsChildrenOfLiveParentsAndRemovesStepsWithTheirJob() {
		Maintenance eager = new Maintenance(database.dataSource(), "workhorse",
				new RetentionSettings(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1),
						RetentionSettings.DEFAULTS.events(), RetentionSettings.DEFAULTS.interval()));
		this.nodes.start((node) -> node.handler(square()).handler(Nodes.handling("sleeps", Integer.class, (n, job) -> {
			job.checkpoint("value", Integer.class, () -> n);
			job.progress(n);
			job.invokeChild("square", "square", n);
			job.sleep("nap", Duration.ofDays(30));
			return job.awaitChild("square", Integer.class);
		})));
		UUID parent = database.queue().enqueue("sleeps", 4);
		this.nodes.await(parent, JobState.WAITING);
		UUID child = child(parent, "square");
		this.nodes.await(child, JobState.SUCCEEDED);
		Nodes.pass(Duration.ofMillis(5));
		eager.run();
		assertThat(this.jobs.find(child)).isPresent();
		assertThat(this.jobs.runNow(parent, "test", "now")).isTrue();
		assertThat(this.nodes.await(parent, JobState.SUCCEEDED).result()).isEqualTo("16");
		Nodes.pass(Duration.ofMillis(5));
		eager.run();
		assertThat(this.jobs.find(child)).isEmpty();
		assertThat(this.jobs.find(parent)).isEmpty();
		assertThat(database.count("checkpoint") + database.count("job_wait") + database.count("job_progress")).isZero();
	}

}
