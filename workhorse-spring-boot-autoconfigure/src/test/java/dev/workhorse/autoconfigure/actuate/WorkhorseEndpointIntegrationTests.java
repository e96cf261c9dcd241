package dev.workhorse.autoconfigure.actuate;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.autoconfigure.TestJobStore;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole web application as a user would have it, over HTTP.
 */
class WorkhorseEndpointIntegrationTests {

	private static final String KEY = "customer-4711-order-0815";

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.emptyDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void showsQueuesNodesKeysAndCountsButNoKey() throws Exception {
		try (ConfigurableApplicationContext context = application("health,workhorse,metrics")) {
			Queue queue = context.getBean(Queue.class);
			context.getBean(Conductor.class)
				.invoke("orders.sync", null, InvokeOptions.dedupeKey(KEY).delay(Duration.ofHours(1)));
			UUID shipped = queue.enqueue("orders.ship", "A-1", EnqueueOptions.idempotencyKey(KEY));
			queue.enqueue("orders.ship", "A-1", EnqueueOptions.idempotencyKey(KEY));
			queue.enqueue("orders.unknown", null);
			context.getBean(Conductor.class).emit("order.paid", 1);
			context.getBean(Jobs.class).pause("billing", "ada", "provider is down");
			TestJobStore.awaitFinished(context, shipped);
			TestJobStore.awaitNode(context);

			String body = Await.value("both jobs shown", () -> get(context, "/actuator/workhorse").body(),
					(text) -> text.contains("\"succeeded\":{\"count\":1,") && text.contains("listening"));

			assertThat(body).doesNotContain(KEY);
			JsonNode json = new ObjectMapper().readTree(body);
			assertThat(json.at("/queues/default/ready/count").asInt()).isEqualTo(1);
			assertThat(json.at("/queues/default/ready/capped").asBoolean()).isFalse();
			assertThat(json.at("/finished/succeeded/count").asInt()).isEqualTo(1);
			assertThat(json.at("/paused/0/queue").asText()).isEqualTo("billing");
			assertThat(json.at("/paused/0/by").asText()).isEqualTo("ada");
			assertThat(json.at("/unhandled/0/type").asText()).isEqualTo("orders.unknown");
			assertThat(json.at("/unhandled/0/jobs").asInt()).isEqualTo(1);
			assertThat(json.at("/thisNode/workerEnabled").asBoolean()).isTrue();
			assertThat(json.at("/thisNode/working").asBoolean()).isTrue();
			assertThat(json.at("/thisNode/wakeUp").asText()).isEqualTo("listening");
			assertThat(json.at("/thisNode/types/0").asText()).isEqualTo("orders.ship");
			assertThat(json.at("/nodes/0/name").asText()).startsWith("shop@");
			assertThat(json.at("/nodes/0/alive").asBoolean()).isTrue();
			assertThat(json.at("/keys/1/scope").asText()).isEqualTo("default");
			assertThat(json.at("/keys/1/preview").asText()).startsWith("cust").contains("…");
			assertThat(json.at("/keys/1/digest").asText()).matches("[0-9a-f]{12}");
			assertThat(json.at("/keys/1/mode").asText()).isEqualTo("idempotency");
			assertThat(json.at("/keys/1/jobId").asText()).isEqualTo(shipped.toString());
			assertThat(json.at("/keys/1/expiresAt").asText()).contains("T");
			assertThat(json.at("/keys/0/scope").isMissingNode()).isTrue();
			assertThat(json.at("/keys/0/preview").asText()).startsWith("cust").contains("…");
			assertThat(json.at("/keys/0/mode").asText()).isEqualTo("dedupe");
			assertThat(json.at("/keys/0/expiresAt").isMissingNode()).isTrue();
			JsonNode counts = json.at("/sinceStartOfThisNode");
			assertThat(counts.at("/decisions/idempotency/accepted").asInt()).isEqualTo(1);
			assertThat(counts.at("/decisions/idempotency/replayed").asInt()).isEqualTo(1);
			assertThat(counts.at("/decisions/none/accepted").asInt()).isEqualTo(1);
			assertThat(counts.at("/invokes/dedupe/created").asInt()).isEqualTo(1);
			assertThat(counts.at("/events/emitted").asInt()).isEqualTo(1);
			assertThat(counts.at("/attempts/succeeded").asInt()).isEqualTo(1);

			assertThat(get(context, "/actuator/health/workhorse").body()).contains("\"status\":\"UP\"")
				.contains("\"worker\":\"working\"");
			assertThat(get(context, "/actuator/metrics/workhorse.enqueue?tag=outcome:replayed").body())
				.contains("\"value\":1.0");
		}
	}

	@Test
	void isNotExposedUnlessAskedFor() {
		try (ConfigurableApplicationContext context = application("health")) {
			assertThat(get(context, "/actuator/workhorse").statusCode()).isEqualTo(404);
			assertThat(context.getBeansOfType(OutcomeCounts.class)).isEmpty();
		}
	}

	private static ConfigurableApplicationContext application(String exposed) {
		return new SpringApplicationBuilder(Shop.class).properties(TestJobStore.properties(database))
			.properties("server.port=0", "spring.application.name=shop", "spring.jmx.enabled=false",
					"spring.flyway.enabled=false", "spring.liquibase.enabled=false",
					"management.endpoints.web.exposure.include=" + exposed,
					"management.endpoint.health.show-details=always", "spring.main.banner-mode=off")
			.run();
	}

	private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
		try {
			return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@JobHandler("orders.ship")
		String ship(String order) {
			return "shipped " + order;
		}

	}

}
