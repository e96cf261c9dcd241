package dev.workhorse.docs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.Subscription;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs what the page about events shows.
 */
class EventsDocsIntegrationTests {

	private static TestDatabase database;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() {
		database = TestDatabase.create("docs", (dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + database.jdbcUrl(), "--spring.flyway.enabled=false",
					"--spring.liquibase.enabled=false", "--spring.main.banner-mode=off",
					"--workhorse.worker.queues.default.concurrency=2", "--workhorse.worker.queues.stock.concurrency=2");
	}

	@AfterAll
	static void stop() {
		context.close();
		database.close();
	}

	@Test
	void eachSubscriberThatWantsTheEventGetsAJob() {
		OrderEvents.Checkout checkout = context.getBean(OrderEvents.Checkout.class);
		UUID dutch = checkout.paid(order("A-1", "NL"));
		checkout.paid(order("A-2", "DE"));
		assertThat(checkout.paid(order("A-1", "NL"))).isEqualTo(dutch);
		List<String> sent = context.getBean(OrderEvents.Mails.class).sent;
		Await.until("three jobs done", () -> sent.size() == 3);
		assertThat(sent).anyMatch((mail) -> mail.startsWith("Order A-1 was paid at "))
			.anyMatch((mail) -> mail.startsWith("Order A-2 was paid at "))
			.contains("Please reserve A-1");
	}

	@Test
	void subscriptionIsDeclaredWithoutSpringAndEnded() {
		// tag::definition[]
		HandlerDefinition handler = HandlerDefinition
			.of("reserve-stock", OrderEvents.PaidOrder.class, (order, job) -> null)
			.subscribedTo(Subscription.to("order.shipped").where("/digital", "false").payloadFields("id"));
		// end::definition[]
		Workhorse node = Workhorse.builder(database.dataSource()).handler(handler).workerEnabled(false).build();
		node.start();
		node.stop(Duration.ZERO);
		Jobs jobs = context.getBean(Jobs.class);
		// tag::end[]
		boolean ended = jobs.endSubscription("order.shipped", "reserve-stock", "ada", "the shop ships nothing now");
		// end::end[]
		assertThat(ended).isTrue();
	}

	private static OrderEvents.Order order(String id, String country) {
		return new OrderEvents.Order(id, new OrderEvents.Shipping(country), false);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ OrderEvents.Checkout.class, OrderEvents.Receipts.class, OrderEvents.Stock.class,
			OrderEvents.Mails.class })
	static class Application {

	}

}
