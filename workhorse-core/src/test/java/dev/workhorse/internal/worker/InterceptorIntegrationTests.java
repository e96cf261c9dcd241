package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.Subscription;
import dev.workhorse.observation.EmitCall;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InterceptorIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final Map<UUID, Map<String, String>> seen = new ConcurrentHashMap<>();

	private String trace = "00-1";

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void traceOfARequestIsThereWhenItsJobRuns() {
		Workhorse node = node();
		assertThat(traceOf(node.queue().enqueue("traced", null))).isEqualTo(Map.of("traceparent", "00-1"));
		this.trace = "00-2";
		node.queue()
			.enqueueAll(List.of(new EnqueueRequest("traced", 1), new EnqueueRequest("traced", 2)))
			.forEach((result) -> assertThat(traceOf(result.jobId())).isEqualTo(Map.of("traceparent", "00-2")));
	}

	@Test
	void redriveGoesOnWithTheTraceOfTheDeadLetter() {
		Workhorse node = node();
		UUID dead = node.queue().enqueue("fails", null);
		this.nodes.await(dead, JobState.FAILED);
		UUID again = node.jobs().redrive(dead, "again", "ada", "fixed").jobId();
		assertThat(traceOf(again)).isEqualTo(Map.of("traceparent", "00-1"));
	}

	@Test
	void traceIsNoPartOfARequestAndOnlyAReplacementChangesIt() {
		Queue queue = database.builder().interceptor(new Tracer()).build().queue();
		EnqueueOptions idempotent = EnqueueOptions.idempotencyKey("the same request");
		EnqueueOptions debounced = EnqueueOptions.debounce(Debounce.reset("a burst", Duration.ofHours(1)));
		UUID accepted = queue.enqueue("none", 1, idempotent);
		UUID pending = queue.enqueue("none", 1, debounced);
		this.trace = "00-2";
		assertThat(queue.enqueueWithResult("none", 1, idempotent).outcome()).isEqualTo(EnqueueOutcome.REPLAYED);
		assertThat(queue.enqueueWithResult("none", 2, debounced).outcome()).isEqualTo(EnqueueOutcome.REPLACED);
		assertThat(storedTrace(accepted)).isEqualTo("{\"traceparent\": \"00-1\"}");
		assertThat(storedTrace(pending)).isEqualTo("{\"traceparent\": \"00-2\"}");
	}

	@Test
	void executionKeepsTheTraceOfTheInvokeItRunsFor() {
		Workhorse node = node();
		Conductor conductor = node.conductor();
		InvokeOptions later = InvokeOptions.dedupeKey("a burst").delay(Duration.ofHours(1));
		UUID pending = conductor.invoke("traced", 1, later);
		UUID done = conductor.invoke("traced", 1, InvokeOptions.dedupeKey("done"));
		assertThat(traceOf(done)).isEqualTo(Map.of("traceparent", "00-1"));
		this.nodes.await(done, JobState.SUCCEEDED);
		this.trace = "00-2";
		assertThat(conductor.invokeAll(List.of(new InvokeRequest("traced", 2, later),
				new InvokeRequest("traced", 2, InvokeOptions.dedupeKey("done")))))
			.extracting(InvokeResult::outcome)
			.containsExactly(InvokeOutcome.UPDATED, InvokeOutcome.RETAINED);
		assertThat(storedTrace(pending)).isEqualTo("{\"traceparent\": \"00-2\"}");
		assertThat(storedTrace(done)).isEqualTo("{\"traceparent\": \"00-1\"}");
	}

	@Test
	void everyJobOfAnEventGoesOnInTheTraceItWasEmittedIn() {
		Workhorse node = this.nodes.start((builder) -> builder.interceptor(new Tracer())
			.handler(subscriber("first"))
			.handler(subscriber("second")));
		node.conductor().emit("traced.event", null, EmitOptions.dedupeKey("told"));
		this.trace = "00-2";
		node.conductor().emit("traced.event", null, EmitOptions.dedupeKey("told"));
		assertThat(Await.value("two jobs", () -> Map.copyOf(this.seen), (seen) -> seen.size() == 2).values())
			.containsOnly(Map.of("traceparent", "00-1"));
	}

	@Test
	void childGoesOnInTheTraceItsParentIsIn() {
		List<String> told = new CopyOnWriteArrayList<>();
		Workhorse node = this.nodes.start((builder) -> builder.interceptor(new Tracer())
			.interceptor(new Teller("told", told))
			.handler(HandlerDefinition.of("traced", Integer.class, (payload, job) -> null))
			.handler(HandlerDefinition.of("parent", Integer.class,
					(payload, job) -> job.invokeChild("only", "traced", payload))));
		UUID parent = node.queue().enqueue("parent", 1);
		this.nodes.await(parent, JobState.SUCCEEDED);
		UUID child = database.jdbc()
			.queryForObject("select id from workhorse.job where parent_id = ?", UUID.class, parent);
		assertThat(storedTrace(child)).isEqualTo("{\"traceparent\": \"00-1\"}");
		assertThat(told).containsExactly("told parent 1", "told accepted in default", "told traced 1",
				"told accepted in default");
	}

	@Test
	void interceptorsSeeWhatWasDecidedOnInvokes() {
		List<String> told = new CopyOnWriteArrayList<>();
		Conductor conductor = database.builder().interceptor(new Teller("only", told)).build().conductor();
		InvokeOptions slot = InvokeOptions.throttle(Duration.ofDays(1));
		conductor.invokeAll(List.of(new InvokeRequest("none", 1, slot), new InvokeRequest("none", 2, slot)));
		assertThat(told).containsExactly("only none 2", "only created in default", "only throttled in default");
	}

	@Test
	void traceThatIsTooLongOrCannotBeStoredIsLeftOut() {
		Queue queue = database.builder().interceptor(new Tracer()).build().queue();
		for (String unstorable : List.of("x".repeat(5_000), "a\u0000b")) {
			this.trace = unstorable;
			assertThat(storedTrace(queue.enqueue("none", null))).isNull();
		}
	}

	@Test
	void interceptorsAreNestedAndSeeWhatWasDecided() {
		List<String> told = new CopyOnWriteArrayList<>();
		Queue queue = database.builder()
			.interceptor(new Teller("outer", told))
			.interceptor(new Teller("inner", told))
			.build()
			.queue();
		queue.enqueue("none", null, EnqueueOptions.defaults().queue("mail"));
		assertThat(told).containsExactly("outer none 1", "inner none 1", "inner accepted in mail",
				"outer accepted in mail");
	}

	@Test
	void whatAnInterceptorThrowsFailsTheAttempt() {
		Workhorse node = this.nodes.start((builder) -> builder.interceptor(new WorkhorseInterceptor() {

			@Override
			public <T> T aroundAttempt(JobContext job, Map<String, String> traceContext, Callable<T> proceed) {
				throw new PermanentFailureException("not today");
			}

		}).handler(HandlerDefinition.of("traced", String.class, (payload, job) -> null)));
		UUID id = node.queue().enqueue("traced", null);
		assertThat(Await.value("failed", () -> node.jobs().find(id).orElseThrow(), (job) -> job.state().isFinished())
			.errors()).singleElement().satisfies((error) -> assertThat(error.message()).isEqualTo("not today"));
	}

	@Test
	void handlerLogsWithTheNamesOfItsAttemptAndLeavesNothingBehind() throws Exception {
		BlockingQueue<Map<String, String>> logged = new LinkedBlockingQueue<>();
		Workhorse node = this.nodes
			.start((builder) -> builder.handler(HandlerDefinition.of("logs", Integer.class, (payload, job) -> {
				logged.add(MDC.getCopyOfContextMap());
				MDC.put("own", "value");
				return null;
			})).workOn("default", 1));
		for (int i = 0; i < 2; i++) {
			UUID id = node.queue().enqueue("logs", i);
			assertThat(logged.poll(10, TimeUnit.SECONDS)).isEqualTo(Map.of("workhorse.job", id.toString(),
					"workhorse.type", "logs", "workhorse.queue", "default", "workhorse.attempt", "1"));
		}
	}

	@Test
	void refusedCallIsNotIntercepted() {
		List<String> told = new CopyOnWriteArrayList<>();
		Queue queue = database.builder().interceptor(new Teller("only", told)).build().queue();
		assertThat(queue.enqueueAll(List.of())).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> database.builder().interceptor(new WorkhorseInterceptor() {

			@Override
			public <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
				throw new IllegalStateException("not today");
			}

		}).build().queue().enqueue("refused", null));
		assertThat(told).isEmpty();
		assertThat(database.count("job where type = 'refused'")).isZero();
	}

	private Workhorse node() {
		return this.nodes.start((builder) -> builder.interceptor(new Tracer())
			.handler(HandlerDefinition.of("traced", Integer.class, (payload, job) -> null))
			.handler(HandlerDefinition.of("fails", Integer.class, (payload, job) -> {
				throw new PermanentFailureException("fails");
			})));
	}

	private static HandlerDefinition subscriber(String type) {
		return HandlerDefinition.of(type, Integer.class, (payload, job) -> null)
			.subscribedTo(Subscription.to("traced.event"));
	}

	private Map<String, String> traceOf(UUID job) {
		return Await.value("run of job " + job, () -> this.seen.getOrDefault(job, Map.of()),
				(trace) -> !trace.isEmpty());
	}

	private static String storedTrace(UUID job) {
		return database.jdbc()
			.queryForObject("select trace_context::text from workhorse.job where id = ?", String.class, job);
	}

	private final class Tracer implements WorkhorseInterceptor {

		@Override
		public <T> T aroundEmit(EmitCall call, Supplier<T> proceed) {
			call.traceContext(Map.of("traceparent", InterceptorIntegrationTests.this.trace));
			return proceed.get();
		}

		@Override
		public <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
			call.traceContext(Map.of("traceparent", InterceptorIntegrationTests.this.trace));
			return proceed.get();
		}

		@Override
		public <T> T aroundAttempt(JobContext job, Map<String, String> traceContext, Callable<T> proceed)
				throws Exception {
			InterceptorIntegrationTests.this.seen.put(job.jobId(), traceContext);
			return proceed.call();
		}

	}

	private record Teller(String name, List<String> told) implements WorkhorseInterceptor {

		@Override
		public <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
			this.told.add("%s %s %d".formatted(this.name, call.type(), call.requests()));
			T result = proceed.get();
			call.decisions()
				.forEach((decided) -> this.told
					.add("%s %s in %s".formatted(this.name, decided.outcome(), decided.queue())));
			return result;
		}

	}

}
