package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.handler.Handler;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.LeaseLostException;
import dev.workhorse.handler.RetryLaterException;
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
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Reinvoking an execution whose handler is running.
 */
class SupersedeIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final Map<UUID, JobContext> begun = new ConcurrentHashMap<>();

	private final Map<UUID, CountDownLatch> goOn = new ConcurrentHashMap<>();

	/** Without a share in the wake-ups of the nodes, like another process. */
	private final Conductor elsewhere = database.builder().build().conductor();

	@AfterEach
	void stopNodes() {
		this.goOn.values().forEach(CountDownLatch::countDown);
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "returns", "throws", "asks for a retry" })
	void whateverASupersededHandlerStillDoesIsRefused(String how) {
		// D3
		String task = "refused-" + how.replace(' ', '-');
		Workhorse node = start(task, (payload, context) -> switch (how) {
			case "returns" -> "late result";
			case "throws" -> throw new IllegalStateException("late failure");
			default -> throw new RetryLaterException("later", Duration.ofMillis(1));
		});
		UUID old = running(node.conductor(), task, "old");
		InvokeResult result = node.conductor().invokeWithResult(task, "new", InvokeOptions.dedupeKey("k"));
		assertThat(result.outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
		Map<String, Object> end = database.snapshot(old);
		UUID current = Objects.requireNonNull(result.jobId());
		awaitBegun(current);
		release(old);
		release(current);
		if (how.equals("returns")) {
			assertThat(this.nodes.await(current, JobState.SUCCEEDED)).returns("\"late result\"", JobDetails::result)
				.returns(1, JobDetails::attempt);
		}
		else if (how.equals("throws")) {
			this.nodes.await(current, JobState.FAILED);
		}
		node.stop(Duration.ofSeconds(10));
		assertThat(database.snapshot(old)).isEqualTo(end);
		assertThat(this.nodes.job(old)).returns(JobState.FAILED, JobDetails::state)
			.returns("\"old\"", JobDetails::payload);
		assertThat(this.nodes.job(old).errors()).singleElement()
			.returns("superseded", JobDetails.AttemptError::kind)
			.returns("superseded by reinvoke", JobDetails.AttemptError::message);
	}

	@Test
	void stepsOfASupersededHandlerAreRefused() {
		// D3
		Map<String, Throwable> refused = new ConcurrentHashMap<>();
		start("steps", (payload, context) -> {
			if ("new".equals(payload)) {
				return payload;
			}
			refused.put("checkpoint", catchThrowable(() -> context.checkpoint("late", String.class, () -> "value")));
			refused.put("child", catchThrowable(() -> context.invokeChild("late-child", "child", "x")));
			refused.put("sleep", catchThrowable(() -> context.sleep("late-sleep", Duration.ofDays(1))));
			context.progress("late");
			return "late";
		});
		UUID old = running(this.elsewhere, "steps", "old");
		UUID current = running(this.elsewhere, "steps", "new");
		Map<String, Object> end = database.snapshot(old);
		release(old);
		Await.until("all steps tried", Nodes.PATIENCE, () -> refused.size() == 3);
		assertThat(refused.get("checkpoint")).isInstanceOf(LeaseLostException.class);
		assertThat(refused.get("child")).isInstanceOf(LeaseLostException.class);
		release(current);
		this.nodes.await(current, JobState.SUCCEEDED);
		this.nodes.close();
		assertThat(database.snapshot(old)).isEqualTo(end);
		for (String table : List.of("checkpoint", "job_wait", "job_progress")) {
			assertThat(database.count(table)).as(table).isZero();
		}
		assertThat(database.count("job where type = 'child'")).isZero();
	}

	@Test
	void handlerKnowsAtOnceWhenTheSameProcessSupersedesIt() {
		Workhorse node = start("at-once", (payload, context) -> null);
		UUID old = running(node.conductor(), "at-once", "old");
		assertThat(this.begun.get(old).isSuperseded()).isFalse();
		node.conductor().invoke("at-once", "new", InvokeOptions.dedupeKey("k"));
		assertThat(this.begun.get(old).isSuperseded()).isTrue();
		assertThat(this.begun.get(old).isLeaseLost()).isTrue();
	}

	@Test
	void handlerKnowsOnlyOnceTheInvokeIsCommitted() {
		Workhorse node = start("committed", (payload, context) -> "done");
		UUID old = running(node.conductor(), "committed", "old");
		database.transaction().executeWithoutResult((status) -> {
			node.conductor().invoke("committed", "new", InvokeOptions.dedupeKey("k"));
			assertThat(this.begun.get(old).isSuperseded()).isFalse();
			status.setRollbackOnly();
		});
		release(old);
		assertThat(this.nodes.await(old, JobState.SUCCEEDED).result()).isEqualTo("\"done\"");
		assertThat(this.begun.get(old).isSuperseded()).isFalse();
	}

	@Test
	void handlerKnowsByTheNextHeartbeatWhenAnotherProcessSupersedesIt() {
		start("elsewhere", (payload, context) -> null);
		UUID old = running(this.elsewhere, "elsewhere", "old");
		this.elsewhere.invoke("elsewhere", "new", InvokeOptions.dedupeKey("k"));
		Await.until("superseded", Nodes.LEASE, this.begun.get(old)::isSuperseded);
	}

	@Test
	void twoOldHandlersMayStillRunWhenTheThirdExecutionHoldsTheKey() {
		// D5
		start("twice", (payload, context) -> payload);
		UUID first = running(this.elsewhere, "twice", "1");
		UUID second = running(this.elsewhere, "twice", "2");
		UUID third = running(this.elsewhere, "twice", "3");
		List.of(second, first, third).forEach(this::release);
		assertThat(this.nodes.await(third, JobState.SUCCEEDED).result()).isEqualTo("\"3\"");
		for (UUID old : List.of(first, second)) {
			assertThat(this.nodes.job(old)).returns(JobState.FAILED, JobDetails::state)
				.returns(null, JobDetails::result);
		}
		assertThat(database.jdbc()
			.queryForList("select id from workhorse.job where type = 'twice' and key_hash is not null", UUID.class))
			.containsExactly(third);
	}

	@Test
	void openTransactionThatSupersedesDelaysNobodyElse() {
		start("open", (payload, context) -> "done");
		Workhorse node = this.nodes.start((builder) -> builder.workOn("busy", 8)
			.handler(HandlerDefinition.of("busy", String.class, (payload, context) -> payload)));
		UUID superseded = running(this.elsewhere, "open", "old");
		UUID neighbour = Objects
			.requireNonNull(this.elsewhere.invoke("open", "x", InvokeOptions.dedupeKey("neighbour")));
		awaitBegun(neighbour);
		Queue queue = node.queue();
		database.transaction().executeWithoutResult((status) -> {
			assertThat(this.elsewhere.invokeWithResult("open", "new", InvokeOptions.dedupeKey("k")).outcome())
				.isEqualTo(InvokeOutcome.SUPERSEDED);
			release(superseded);
			inANewThread(() -> {
				List<UUID> jobs = new ArrayList<>();
				for (int i = 0; i < 200; i++) {
					jobs.add(queue.enqueue("busy", "x", EnqueueOptions.defaults().queue("busy")));
				}
				jobs.forEach((job) -> this.nodes.await(job, JobState.SUCCEEDED));
				// the lease of the neighbour is renewed all the time
				Nodes.pass(Nodes.LEASE.plusSeconds(1));
				assertThat(this.nodes.job(neighbour)).returns(JobState.RUNNING, JobDetails::state)
					.returns(1, JobDetails::attempt);
				release(neighbour);
				this.nodes.await(neighbour, JobState.SUCCEEDED);
				assertThat(this.nodes.job(superseded).state()).isEqualTo(JobState.RUNNING);
			});
			status.setRollbackOnly();
		});
		assertThat(this.nodes.await(superseded, JobState.SUCCEEDED)).returns("\"done\"", JobDetails::result)
			.returns(1, JobDetails::attempt)
			.returns(List.of(), JobDetails::errors);
	}

	@Test
	void transactionalHandlerOfASupersededExecutionLeavesNothing() {
		database.jdbc().execute("create table if not exists superseded_effect (job_id uuid not null)");
		Handler handler = gated((payload, context) -> {
			database.jdbc().update("insert into superseded_effect values (?)", context.jobId());
			return payload;
		});
		this.nodes.start((builder) -> builder.workOn("default", 4)
			.handler(HandlerDefinition.of("in-transaction", String.class, handler).inTransaction()));
		UUID old = running(this.elsewhere, "in-transaction", "old");
		UUID current = running(this.elsewhere, "in-transaction", "new");
		release(old);
		release(current);
		this.nodes.await(current, JobState.SUCCEEDED);
		assertThat(database.jdbc().queryForList("select job_id from superseded_effect", UUID.class))
			.containsExactly(current);
	}

	@Test
	void transactionalHandlerCannotSupersedeItself() {
		Workhorse node = this.nodes.start((builder) -> builder.handler(new HandlerDefinition("itself", String.class, 1,
				null, (payload, context) -> this.elsewhere.invoke("itself", "again", InvokeOptions.dedupeKey("k")))
			.inTransaction()));
		UUID job = Objects.requireNonNull(node.conductor().invoke("itself", "first", InvokeOptions.dedupeKey("k")));
		assertThat(this.nodes.await(job, JobState.FAILED).errors()).last()
			.extracting(JobDetails.AttemptError::message)
			.asString()
			.contains("superseded its own execution");
		assertThat(database.jdbc().queryForList("select id from workhorse.job where type = 'itself'", UUID.class))
			.containsExactly(job);
	}

	@Test
	void handlerThatIsNotTransactionalMayInvokeItselfAnew() {
		this.nodes.start((builder) -> builder
			.handler(HandlerDefinition.of("again", Integer.class, (payload, context) -> ((Integer) payload < 3)
					? this.elsewhere.invoke("again", (Integer) payload + 1, InvokeOptions.dedupeKey("k")) : "last")));
		this.elsewhere.invoke("again", 1, InvokeOptions.dedupeKey("k"));
		Await.until("the last", Nodes.PATIENCE,
				() -> database.jdbc()
					.queryForList("select result #>> '{}' from workhorse.job_outcome join workhorse.job on id = job_id "
							+ "where type = 'again' and job_outcome.state = 'succeeded'", String.class)
					.equals(List.of("last")));
		assertThat(database.count("job where type = 'again'")).isEqualTo(3);
	}

	@Test
	void retryRunsWithThePayloadOfTheReinvoke() {
		List<String> payloads = new ArrayList<>();
		this.nodes
			.start((builder) -> builder.handler(HandlerDefinition.of("retried", String.class, (payload, context) -> {
				payloads.add(payload + " " + context.attempt());
				if (context.attempt() == 1) {
					throw new IllegalStateException("first attempt");
				}
				return payload;
			})));
		UUID job = Objects.requireNonNull(this.elsewhere.invoke("retried", "pending",
				InvokeOptions.dedupeKey("k").retryPolicy(RetryPolicy.fixed(Duration.ofHours(1)))));
		this.nodes.await(job, JobState.SCHEDULED);
		assertThat(this.elsewhere.invokeWithResult("retried", "paid", InvokeOptions.dedupeKey("k")))
			.isEqualTo(new InvokeResult(job, InvokeOutcome.UPDATED));
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(2, JobDetails::attempt);
		assertThat(payloads).containsExactly("pending 1", "paid 2");
	}

	private Workhorse start(String task, Handler handler) {
		return this.nodes.start((builder) -> builder.workOn("default", 8)
			.handler(new HandlerDefinition(task, String.class, 1, null, gated(handler))));
	}

	/** Each attempt tells that it has begun, and waits until it may go on. */
	private Handler gated(Handler handler) {
		return (payload, context) -> {
			this.begun.put(context.jobId(), context);
			gate(context.jobId()).await();
			return handler.handle(payload, context);
		};
	}

	private CountDownLatch gate(UUID job) {
		return this.goOn.computeIfAbsent(job, (id) -> new CountDownLatch(1));
	}

	private void release(UUID job) {
		gate(job).countDown();
	}

	private UUID running(Conductor conductor, String task, String payload) {
		UUID job = Objects.requireNonNull(conductor.invoke(task, payload, InvokeOptions.dedupeKey("k")));
		awaitBegun(job);
		return job;
	}

	private void awaitBegun(UUID job) {
		Await.until("begun", Nodes.PATIENCE, () -> this.begun.containsKey(job));
	}

	private static void inANewThread(Runnable action) {
		CompletableFuture.runAsync(action).join();
	}

}
