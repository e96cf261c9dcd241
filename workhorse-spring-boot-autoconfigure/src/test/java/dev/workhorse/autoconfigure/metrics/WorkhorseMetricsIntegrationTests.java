package dev.workhorse.autoconfigure.metrics;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.autoconfigure.TestJobStore;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.JobState;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class WorkhorseMetricsIntegrationTests {

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void decisionsAreCountedByModeOutcomeQueueAndType() {
		application().run((context) -> {
			Queue queue = context.getBean(Queue.class);
			EnqueueOptions options = EnqueueOptions.idempotencyKey("a key that is long").queue("mail");
			queue.enqueue("count", null, options);
			queue.enqueue("count", null, options);
			queue.enqueue("count", null, options);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(count(registry, "idempotency", "accepted", "mail")).isEqualTo(1);
			assertThat(count(registry, "idempotency", "replayed", "mail")).isEqualTo(2);
			assertThat(registry.get("workhorse.enqueue").tag("type", "count").counters()).hasSize(2);
		});
	}

	@Test
	void requestIsCountedAfterItsTransactionAndNotIfThatIsRolledBack() {
		application().run((context) -> {
			Queue queue = context.getBean(Queue.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			transaction.executeWithoutResult((status) -> {
				queue.enqueue("count", null);
				status.setRollbackOnly();
			});
			assertThat(count(registry, "none", "accepted", "default")).isZero();
			transaction.executeWithoutResult((status) -> {
				queue.enqueue("count", null);
				assertThat(count(registry, "none", "accepted", "default")).isZero();
			});
			assertThat(count(registry, "none", "accepted", "default")).isEqualTo(1);
		});
	}

	@Test
	void invokesAreCountedByModeAndOutcomeAfterTheirTransaction() {
		application().run((context) -> {
			Conductor conductor = context.getBean(Conductor.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			transaction.executeWithoutResult((status) -> {
				conductor.invoke("update", 1, InvokeOptions.dedupeKey("order-1"));
				status.setRollbackOnly();
			});
			assertThat(registry.find("workhorse.invoke").counters()).isEmpty();
			conductor.invoke("update", 1, InvokeOptions.dedupeKey("order-1"));
			conductor.invoke("update", 2, InvokeOptions.dedupeKey("order-1"));
			conductor.invoke("sync", 1, InvokeOptions.throttle(Duration.ofDays(365)));
			conductor.invoke("sync", 2, InvokeOptions.throttle(Duration.ofDays(365)));
			conductor.invoke("plain", 1);
			assertThat(registry.find("workhorse.invoke").counters().stream().map((counter) -> {
				Meter.Id id = counter.getId();
				return "%s %s %s %s %.0f".formatted(id.getTag("mode"), id.getTag("outcome"), id.getTag("queue"),
						id.getTag("type"), counter.count());
			})).containsExactlyInAnyOrder("dedupe created default update 1", "dedupe updated default update 1",
					"throttle-slot created default sync 1", "throttle-slot throttled default sync 1",
					"none created default plain 1");
		});
	}

	@Test
	void eventsAreCountedByOutcomeAndNameAfterTheirTransaction() {
		application().run((context) -> {
			Conductor conductor = context.getBean(Conductor.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			transaction.executeWithoutResult((status) -> {
				conductor.emit("order.paid", 1);
				status.setRollbackOnly();
			});
			assertThat(registry.find("workhorse.emit").counters()).isEmpty();
			conductor.emit("order.paid", 1, EmitOptions.dedupeKey("order-1"));
			conductor.emit("order.paid", 1, EmitOptions.dedupeKey("order-1"));
			conductor.emit("order.paid", 1);
			assertThat(
					registry.get("workhorse.emit").tags("event", "order.paid", "outcome", "emitted").counter().count())
				.isEqualTo(2);
			assertThat(
					registry.get("workhorse.emit").tags("event", "order.paid", "outcome", "repeated").counter().count())
				.isEqualTo(1);
		});
	}

	@Test
	void attemptsAreTimedByTheirOutcome() {
		application().withUserConfiguration(Handlers.class).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			UUID good = context.getBean(Queue.class).enqueue("good", null);
			UUID bad = context.getBean(Queue.class).enqueue("bad", null);
			assertThat(TestJobStore.awaitFinished(context, good).state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(TestJobStore.awaitFinished(context, bad).state()).isEqualTo(JobState.FAILED);
			Await.until("two attempts are timed", () -> registry.find("workhorse.handler").timers().size() == 2);
			assertThat(registry.get("workhorse.handler")
				.tags("type", "good", "queue", "default", "outcome", "succeeded")
				.timer()
				.count()).isEqualTo(1);
			assertThat(registry.get("workhorse.handler").tags("type", "bad", "outcome", "failed").timer().count())
				.isEqualTo(1);
			assertThat(registry.get("workhorse.claim.batch").tag("queue", "default").summary().totalAmount())
				.isEqualTo(2);
		});
	}

	@Test
	void lostLeasesAreCounted() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		new WorkhorseMetrics(registry).onLeaseLost(UUID.randomUUID(), "mail", "send");
		assertThat(registry.get("workhorse.leases.lost").tags("queue", "mail", "type", "send").counter().count())
			.isEqualTo(1);
	}

	@Test
	void handlersWhoseTimeIsOverAreCountedUntilTheyReturn() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		WorkhorseMetrics metrics = new WorkhorseMetrics(registry);
		metrics.onTimeout(UUID.randomUUID(), "mail", "send");
		metrics.onTimeout(UUID.randomUUID(), "mail", "send");
		Gauge overdue = registry.get("workhorse.handlers.overdue").tags("queue", "mail", "type", "send").gauge();
		assertThat(overdue.value()).isEqualTo(2);
		metrics.onLateReturn(UUID.randomUUID(), "mail", "send", Duration.ofSeconds(3));
		assertThat(overdue.value()).isEqualTo(1);
		assertThat(registry.get("workhorse.handler.late").tags("queue", "mail", "type", "send").timer().count())
			.isOne();
	}

	@Test
	void withoutARegistryNothingIsCounted() {
		TestJobStore.application(database)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WorkhorseMetrics.class));
	}

	private static double count(MeterRegistry registry, String mode, String outcome, String queue) {
		Counter counter = registry.find("workhorse.enqueue")
			.tags("mode", mode, "outcome", outcome, "queue", queue)
			.counter();
		return (counter != null) ? counter.count() : 0;
	}

	private static ApplicationContextRunner application() {
		return TestJobStore.application(database).withBean(MeterRegistry.class, SimpleMeterRegistry::new);
	}

	@Configuration(proxyBeanMethods = false)
	static class Handlers {

		@JobHandler("good")
		void good() {
		}

		@JobHandler(value = "bad", maxAttempts = 1)
		void bad() {
			throw new IllegalStateException("bad");
		}

	}

}
