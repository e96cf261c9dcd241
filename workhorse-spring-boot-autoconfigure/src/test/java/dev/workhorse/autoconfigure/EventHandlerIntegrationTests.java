package dev.workhorse.autoconfigure;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.workhorse.Queue;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.DeclaredSubscription;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for handler methods that subscribe to events.
 */
class EventHandlerIntegrationTests {

	private static final List<String> SEEN = new CopyOnWriteArrayList<>();

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@BeforeEach
	void forget() {
		SEEN.clear();
	}

	private static ApplicationContextRunner application() {
		return TestJobStore.application(database);
	}

	@Test
	void methodGetsTheSelectedPayloadAndTheEvent() {
		application().withUserConfiguration(Shop.class).run((context) -> {
			Conductor conductor = context.getBean(Conductor.class);
			UUID id = conductor.emit("order.paid", Map.of("orderId", 17, "currency", "EUR", "card", "4711"));
			conductor.emit("order.paid", Map.of("orderId", 18, "currency", "USD"));
			Await.until("handled", () -> SEEN.size() == 3);
			assertThat(SEEN).containsExactlyInAnyOrder("receipt {orderId=17} order.paid " + id,
					"stock order.paid default", "stock order.paid default");
			UUID refunded = conductor.emit("order.refunded", 1);
			Await.until("handled", () -> SEEN.size() == 4);
			assertThat(refunded).isNotNull();
			assertThat(SEEN).last().isEqualTo("stock order.refunded default");
			UUID enqueued = context.getBean(Queue.class).enqueue("stock", 1);
			TestJobStore.awaitFinished(context, enqueued);
			assertThat(SEEN).last().isEqualTo("stock enqueued default");
		});
	}

	@Test
	void applicationThatOnlyEmitsReachesSubscribersOfAnother() {
		// the subscribers are not up, and the one that emits has no handlers
		application().withUserConfiguration(Shop.class)
			.withPropertyValues("workhorse.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		application().withPropertyValues("workhorse.worker.enabled=false")
			.run((context) -> context.getBean(Conductor.class).emit("order.refunded", "elsewhere"));
		assertThat(new JdbcTemplate(database.dataSource())
			.queryForObject("select count(*) from workhorse.event where dispatched_at is null", Integer.class)).isOne();
		assertThat(SEEN).isEmpty();
		application().withUserConfiguration(Shop.class)
			.run((context) -> Await.until("handled", () -> SEEN.contains("stock order.refunded default")));
	}

	@Test
	void annotationIsDeclared() {
		application().withUserConfiguration(Shop.class).run((context) -> {
			List<DeclaredSubscription> declared = context.getBean(Jobs.class).subscriptions();
			assertThat(declared).extracting(DeclaredSubscription::event, DeclaredSubscription::type)
				.containsExactly(tuple("order.paid", "receipt"), tuple("order.paid", "stock"),
						tuple("order.refunded", "stock"));
			assertThat(declared.get(0)).returns("{\"/currency\": \"EUR\"}", DeclaredSubscription::filter)
				.returns(List.of("orderId"), DeclaredSubscription::payloadFields);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { FilterWithoutEvent.class, FieldsWithoutEvent.class, QueueWithoutEvent.class,
			MetadataWithoutEvent.class, BadFilter.class, EventTwice.class, MetadataTwice.class })
	void contradictionEndsTheStart(Class<?> configuration) {
		application().withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(configuration.getAnnotation(Says.class).value()));
	}

	@Test
	void dedupeRetentionHasBounds() {
		application().withPropertyValues("workhorse.events.dedupe-retention=12h")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'workhorse.events.dedupe-retention' must be 1 to 2 days"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@JobHandler(value = "receipt", event = "order.paid", filter = "/currency = 'EUR'", payloadFields = "orderId")
		void receipt(EventMetadata event, Map<String, Object> payload) {
			SEEN.add("receipt " + payload + " " + event.name() + " " + event.id());
		}

		@JobHandler(value = "stock", event = { "order.paid", "order.refunded" })
		void stock(JobContext context, EventMetadata event) {
			SEEN.add("stock " + ((event != null) ? event.name() : "enqueued") + " " + context.queue());
		}

	}

	/**
	 * What the failure says.
	 */
	@Retention(RetentionPolicy.RUNTIME)
	@interface Says {

		String value();

	}

	@Says("has a filter but subscribes to no event")
	static class FilterWithoutEvent {

		@JobHandler(value = "x", filter = "/a = 1")
		void handle() {
		}

	}

	@Says("names payload fields but subscribes to no event")
	static class FieldsWithoutEvent {

		@JobHandler(value = "x", payloadFields = "a")
		void handle() {
		}

	}

	@Says("has an event queue but subscribes to no event")
	static class QueueWithoutEvent {

		@JobHandler(value = "x", eventQueue = "a")
		void handle() {
		}

	}

	@Says("takes EventMetadata but subscribes to no event")
	static class MetadataWithoutEvent {

		@JobHandler("x")
		void handle(EventMetadata event) {
		}

	}

	@Says("'filter' must be JSON values such as 'EUR' in quotes")
	static class BadFilter {

		@JobHandler(value = "x", event = "y", filter = "/currency = EUR")
		void handle() {
		}

	}

	@Says("'event' must be named once for each handler")
	static class EventTwice {

		@JobHandler(value = "x", event = { "y", "y" })
		void handle() {
		}

	}

	@Says("takes the EventMetadata twice")
	static class MetadataTwice {

		@JobHandler(value = "x", event = "y")
		void handle(EventMetadata one, EventMetadata two) {
		}

	}

}
