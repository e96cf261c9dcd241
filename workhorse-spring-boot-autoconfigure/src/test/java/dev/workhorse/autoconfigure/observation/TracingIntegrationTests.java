package dev.workhorse.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.autoconfigure.TestJobStore;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.RetryLaterException;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that traces with Micrometer Tracing and OpenTelemetry.
 */
class TracingIntegrationTests {

	private static final InMemorySpanExporter exporter = InMemorySpanExporter.create();

	private static TestDatabase database;

	private static ConfigurableApplicationContext context;

	private final Queue queue = context.getBean(Queue.class);

	private final Tracer tracer = context.getBean(Tracer.class);

	@BeforeAll
	static void startApplication() {
		database = TestJobStore.migratedDatabase();
		context = new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE)
			.properties(TestJobStore.properties(database))
			.properties("spring.flyway.enabled=false", "spring.liquibase.enabled=false", "spring.main.banner-mode=off",
					"management.tracing.sampling.probability=1.0")
			.run();
	}

	@AfterAll
	static void stopApplication() {
		context.close();
		database.close();
	}

	@BeforeEach
	void forgetSpans() {
		exporter.reset();
	}

	@Test
	void attemptsGoOnInTheTraceOfTheRequest() {
		Span caller = this.tracer.nextSpan().name("caller").start();
		UUID id;
		try (Tracer.SpanInScope scope = this.tracer.withSpan(caller)) {
			id = this.queue.enqueue("again", null, EnqueueOptions.defaults().tags(scope.getClass().getSimpleName()));
		}
		caller.end();
		TestJobStore.awaitFinished(context, id);
		List<SpanData> spans = Await.value("four spans", exporter::getFinishedSpanItems, (found) -> found.size() == 4);
		assertThat(spans).extracting(SpanData::getTraceId).containsOnly(caller.context().traceId());
		SpanData request = span(spans, "enqueue again");
		assertThat(request.getKind()).isEqualTo(SpanKind.PRODUCER);
		assertThat(request.getParentSpanId()).isEqualTo(caller.context().spanId());
		assertThat(request.getAttributes().asMap()).containsEntry(AttributeKey.stringKey("outcome"), "accepted")
			.containsEntry(AttributeKey.stringKey("queue"), "default")
			.containsEntry(AttributeKey.stringKey("type"), "again")
			.containsEntry(AttributeKey.stringKey("workhorse.job"), id.toString());
		List<SpanData> attempts = spans.stream().filter((span) -> span.getName().equals("handle again")).toList();
		assertThat(attempts).hasSize(2).allSatisfy((attempt) -> {
			assertThat(attempt.getKind()).isEqualTo(SpanKind.CONSUMER);
			assertThat(attempt.getParentSpanId()).isEqualTo(request.getSpanId());
			assertThat(attempt.getAttributes().get(AttributeKey.stringKey("workhorse.job"))).isEqualTo(id.toString());
		});
		assertThat(attempts)
			.extracting((attempt) -> attempt.getAttributes().get(AttributeKey.stringKey("workhorse.attempt")))
			.containsExactlyInAnyOrder("1", "2");
		assertThat(attempts).filteredOn((attempt) -> attempt.getStatus().getStatusCode() == StatusCode.ERROR)
			.hasSize(1);
	}

	@Test
	void attemptsGoOnInTheTraceOfTheInvoke() {
		UUID id = context.getBean(Conductor.class).invoke("child", null, InvokeOptions.dedupeKey("once"));
		TestJobStore.awaitFinished(context, Objects.requireNonNull(id));
		List<SpanData> spans = Await.value("two spans", exporter::getFinishedSpanItems, (found) -> found.size() == 2);
		SpanData request = span(spans, "enqueue child");
		assertThat(request.getKind()).isEqualTo(SpanKind.PRODUCER);
		assertThat(request.getAttributes().asMap()).containsEntry(AttributeKey.stringKey("outcome"), "created")
			.containsEntry(AttributeKey.stringKey("workhorse.job"), id.toString());
		assertThat(span(spans, "handle child").getParentSpanId()).isEqualTo(request.getSpanId());
		assertThat(span(spans, "handle child").getTraceId()).isEqualTo(request.getTraceId());
	}

	@Test
	void subscribersGoOnInTheTraceOfTheEvent() {
		context.getBean(Conductor.class).emit("told", null);
		List<SpanData> spans = Await.value("two spans", exporter::getFinishedSpanItems, (found) -> found.size() == 2);
		SpanData emit = span(spans, "emit told");
		assertThat(emit.getAttributes().asMap()).containsEntry(AttributeKey.stringKey("outcome"), "emitted")
			.containsEntry(AttributeKey.stringKey("type"), "told");
		assertThat(span(spans, "handle listen").getParentSpanId()).isEqualTo(emit.getSpanId());
	}

	@Test
	void replayAndConflictNameTheOriginalJob() {
		EnqueueOptions key = EnqueueOptions.idempotencyKey("asked for twice").queue("elsewhere");
		UUID original = this.queue.enqueue("none", 1, key);
		this.queue.enqueue("none", 1, key);
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> this.queue.enqueue("none", 2, key));
		List<SpanData> spans = exporter.getFinishedSpanItems();
		assertThat(spans).extracting((span) -> span.getAttributes().get(AttributeKey.stringKey("outcome")))
			.containsExactly("accepted", "replayed", "conflict");
		assertThat(spans).extracting((span) -> span.getAttributes().get(AttributeKey.stringKey("workhorse.job")))
			.containsOnly(original.toString());
		assertThat(spans.get(1).getTraceId()).isNotEqualTo(spans.get(0).getTraceId());
		assertThat(spans.get(1).getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
		assertThat(spans.get(2).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
		assertThat(spans.toString()).doesNotContain("asked for twice");
	}

	@Test
	void batchIsOneRequest() {
		this.queue.enqueueAll(List.of(new EnqueueRequest("none", 1, EnqueueOptions.defaults().queue("elsewhere")),
				new EnqueueRequest("none", 2, EnqueueOptions.defaults().queue("elsewhere"))));
		assertThat(exporter.getFinishedSpanItems()).singleElement()
			.satisfies((span) -> assertThat(span.getAttributes().get(AttributeKey.stringKey("workhorse.requests")))
				.isEqualTo("2"));
	}

	@Test
	void handlerLogsAndEnqueuesWithinItsTrace() {
		UUID parent = this.queue.enqueue("parent", null);
		String child = TestJobStore.awaitFinished(context, parent).result();
		assertThat(child).isNotNull();
		TestJobStore.awaitFinished(context, UUID.fromString(child.substring(1, 37)));
		List<SpanData> spans = Await.value("all spans", exporter::getFinishedSpanItems, (found) -> found.size() >= 4);
		assertThat(spans).extracting(SpanData::getTraceId).containsOnly(spans.get(0).getTraceId());
		assertThat(child).contains(spans.get(0).getTraceId()).contains(parent.toString());
	}

	private static SpanData span(List<SpanData> spans, String name) {
		return spans.stream().filter((span) -> span.getName().equals(name)).findFirst().orElseThrow();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		SpanProcessor exportAtOnce() {
			return SimpleSpanProcessor.create(exporter);
		}

		@JobHandler("again")
		void again(JobContext job) {
			if (job.attempt() == 1) {
				throw new RetryLaterException("again", Duration.ofMillis(1));
			}
		}

		@Bean
		Family family(ObjectProvider<Queue> queue) {
			return new Family(queue);
		}

	}

	record Family(ObjectProvider<Queue> queue) {

		@JobHandler("parent")
		String parent() {
			UUID child = this.queue.getObject().enqueue("child", null);
			return child + " " + MDC.get("traceId") + " " + MDC.get("workhorse.job");
		}

		@JobHandler("child")
		void child() {
		}

		@JobHandler(value = "listen", event = "told")
		void listen() {
		}

	}

}
