package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.handler.ChildOptions;
import dev.workhorse.handler.LeaseLostException;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for invokes of executions that go in steps, and for handlers that change while
 * their executions sleep.
 */
class ReinvokedStepsIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final Conductor conductor = database.builder().build().conductor();

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private InvokeResult invoke(String task, Object payload) {
		return this.conductor.invokeWithResult(task, payload, InvokeOptions.dedupeKey("key"));
	}

	@Test
	void reinvokeEndsTheSleepAtOnceWithTheNewPayloadAndKeepsTheCheckpoints() {
		List<String> seen = new CopyOnWriteArrayList<>();
		this.nodes.start((node) -> node.handler(Nodes.handling("nap", String.class, (payload, job) -> {
			String first = job.checkpoint("first", String.class, () -> payload);
			seen.add(payload + " " + first);
			job.sleep("long", Duration.ofDays(300));
			job.sleep("short", Duration.ofMillis(10));
			return payload + " " + first;
		})));
		UUID job = Objects.requireNonNull(invoke("nap", "one").jobId());
		this.nodes.await(job, JobState.WAITING);
		assertThat(invoke("nap", "two")).isEqualTo(new InvokeResult(job, InvokeOutcome.UPDATED));
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns("\"two one\"", JobDetails::result)
			.returns(1, JobDetails::attempt);
		assertThat(seen).containsExactly("one one", "two one", "two one");
	}

	@Test
	void reinvokeWhileAChildIsAwaitedWaitsOn() {
		CountDownLatch seen = new CountDownLatch(2);
		this.nodes.start((node) -> node.handler(Nodes.handling("parent", String.class, (payload, job) -> {
			job.invokeChild("child", "child", payload, ChildOptions.defaults().queue("child"));
			seen.countDown();
			return payload + " " + job.awaitChild("child", String.class, Duration.ofHours(1));
		})));
		UUID job = Objects.requireNonNull(invoke("parent", "one").jobId());
		JobDetails waiting = this.nodes.await(job, JobState.WAITING);
		assertThat(invoke("parent", "two").outcome()).isEqualTo(InvokeOutcome.UPDATED);
		Await.until("the second run", Nodes.PATIENCE, () -> seen.getCount() == 0);
		assertThat(this.nodes.await(job, JobState.WAITING).runAt()).as("the same timeout").isEqualTo(waiting.runAt());
		this.nodes.start((node) -> node.workOn("child", 1).handler(Nodes.handling("child", String.class, (p, c) -> p)));
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("\"two one\"");
	}

	@Test
	void supersededHandlerCanDoNoFurtherStepAndItsChildrenGoWithIt() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch superseded = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(1);
		this.nodes.start((node) -> node.handler(Nodes.handling("long", String.class, (payload, job) -> {
			if (payload.equals("new")) {
				return job.checkpoint("value", String.class, () -> payload);
			}
			job.invokeChild("with", "nobody", null, ChildOptions.defaults().cancelWithParent());
			job.invokeChild("without", "nobody", null);
			begun.countDown();
			superseded.await();
			assertThatExceptionOfType(LeaseLostException.class)
				.isThrownBy(() -> job.checkpoint("value", String.class, () -> payload));
			assertThatExceptionOfType(LeaseLostException.class)
				.isThrownBy(() -> job.invokeChild("late", "nobody", null));
			refused.countDown();
			return payload;
		})));
		UUID old = Objects.requireNonNull(invoke("long", "old").jobId());
		begun.await();
		InvokeResult result = invoke("long", "new");
		assertThat(result.outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
		this.nodes.await(child(old, "with"), JobState.CANCELLED);
		assertThat(this.nodes.job(child(old, "without")).state()).isEqualTo(JobState.READY);
		superseded.countDown();
		assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.nodes.await(Objects.requireNonNull(result.jobId()), JobState.SUCCEEDED).result())
			.isEqualTo("\"new\"");
		assertThat(this.nodes.job(old).state()).isEqualTo(JobState.FAILED);
		assertThat(database.count("job where parent_id = '" + old + "'")).isEqualTo(2);
		assertThat(database.count("checkpoint where name = 'value' and job_id = '" + old + "'")).isZero();
	}

	private static UUID child(UUID parent, String name) {
		return database.jdbc()
			.queryForObject("select id from workhorse.job where parent_id = ? and child_name = ?", UUID.class, parent,
					name);
	}

	@Test
	void sleepingExecutionGoesOnWithTheNewVersionOfItsHandler() {
		Workhorse first = this.nodes.start((node) -> node.handler(Nodes.handling("versions", String.class, (p, job) -> {
			job.checkpoint("reserve", ReservedV1.class, () -> new ReservedV1("r-1", 3));
			job.checkpoint("dropped", String.class, () -> "dropped");
			job.sleep("nap", Duration.ofMillis(1500));
			return "old";
		})));
		UUID job = database.queue().enqueue("versions", "x");
		this.nodes.await(job, JobState.WAITING);
		first.stop(Duration.ofSeconds(5));
		this.nodes.start((node) -> node.handler(Nodes.handling("versions", String.class, (p, context) -> {
			ReservedV2 reserved = context.checkpoint("reserve", ReservedV2.class, () -> new ReservedV2("other", "x"));
			String added = context.checkpoint("added", String.class, () -> "added");
			context.sleep("nap", Duration.ofDays(1));
			return context.checkpoint("ship", String.class, () -> reserved.id() + " " + reserved.shelf() + " " + added);
		})));
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("\"r-1 null added\"");
	}

	/**
	 * The value of a checkpoint in the first version.
	 */
	record ReservedV1(String id, int quantity) {

	}

	/**
	 * The same in the second.
	 */
	record ReservedV2(String id, String shelf) {

	}

}
