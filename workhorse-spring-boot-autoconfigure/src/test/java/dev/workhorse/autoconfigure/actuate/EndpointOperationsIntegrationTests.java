package dev.workhorse.autoconfigure.actuate;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import javax.management.ObjectName;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;
import dev.workhorse.autoconfigure.TestJobStore;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.TimelineEntry;
import dev.workhorse.testsupport.TestDatabase;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parts of the endpoint in two applications that share a job store: one as it is by
 * default, one that lets people in a role see and act.
 */
class EndpointOperationsIntegrationTests {

	private static final ObjectMapper json = new ObjectMapper();

	private static TestDatabase database;

	private static ConfigurableApplicationContext open;

	private static ConfigurableApplicationContext closed;

	private final Queue queue = open.getBean(Queue.class);

	private final Jobs jobs = open.getBean(Jobs.class);

	@BeforeAll
	static void startApplications() {
		database = TestJobStore.migratedDatabase();
		closed = application("workhorse.worker.enabled=false");
		open = application("management.endpoint.workhorse.access=unrestricted",
				"management.endpoint.workhorse.show-values=when-authorized",
				"management.endpoint.workhorse.roles=operator", "spring.jmx.enabled=true",
				"management.endpoints.jmx.exposure.include=workhorse");
	}

	@AfterAll
	static void stopApplications() {
		open.close();
		closed.close();
		database.close();
	}

	@Test
	void jobsAreListedPageByPage() throws Exception {
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			ids.add(0, this.queue.enqueue("listed", i, EnqueueOptions.defaults().tags("tag")).toString());
		}
		List<String> found = new ArrayList<>();
		JsonNode page = get("/jobs?type=listed&state=ready&tag=tag&queue=default&size=2");
		page.at("/items").forEach((item) -> found.add(item.at("/id").asText()));
		while (page.has("next")) {
			page = get("/jobs?type=listed&state=ready&tag=tag&size=2&after=" + encoded(page.at("/next").asText()));
			page.at("/items").forEach((item) -> found.add(item.at("/id").asText()));
		}
		assertThat(found).isEqualTo(ids);
		assertThat(get("/jobs?type=listed&state=failed").at("/items")).isEmpty();
		assertThat(get("/jobs?type=listed&size=1").at("/items/0").toString()).doesNotContain("payload")
			.contains("\"state\":\"ready\"");
	}

	@Test
	void valuesAreShownSanitisedAndOnlyToThoseWhoMaySeeThem() throws Exception {
		UUID done = this.queue.enqueue("pays", Map.of("card", "4111", "amount", 12.50, "lines", List.of("a", "b")));
		TestJobStore.awaitFinished(open, done);
		UUID failed = this.queue.enqueue("fails", "very secret");
		TestJobStore.awaitFinished(open, failed);

		JsonNode shown = get("/jobs/" + done, "grace", "operator");
		assertThat(shown.at("/payload/card").asText()).isEqualTo("******");
		assertThat(shown.at("/payload/amount").asDouble()).isEqualTo(12.5);
		assertThat(shown.at("/payload/lines/1").asText()).isEqualTo("b");
		assertThat(shown.at("/result/receipt").asText()).isEqualTo("R-1");
		assertThat(shown.at("/timeline/0/kind").asText()).isEqualTo("accepted");
		assertThat(get("/jobs/" + failed, "grace", "operator").toString()).contains("very secret");
		assertThat(get("/dead-letters?type=fails", "grace", "operator").at("/items/0/errorMessage").asText())
			.contains("very secret");

		for (ConfigurableApplicationContext application : List.of(open, closed)) {
			String who = (application == open) ? "guest" : "operator";
			JsonNode hidden = json(request(application, "/jobs/" + done, "grace", who));
			assertThat(hidden.at("/payload").asText()).isEqualTo("******");
			assertThat(hidden.at("/result").asText()).isEqualTo("******");
			assertThat(hidden.at("/state").asText()).isEqualTo("succeeded");
			JsonNode dead = json(request(application, "/jobs/" + failed, "grace", who));
			assertThat(dead.toString()).doesNotContain("very secret");
			assertThat(dead.at("/errors/0/message").asText()).isEqualTo("******");
			assertThat(dead.at("/errors/0/type").asText()).endsWith("PermanentFailureException");
			assertThat(request(application, "/dead-letters?type=fails", "grace", who).body())
				.doesNotContain("very secret")
				.contains(failed.toString());
		}
	}

	@Test
	void actionsAreNotedUnderTheNameOfThePrincipal() throws Exception {
		UUID first = this.queue.enqueue("unhandled", 1, EnqueueOptions.defaults().queue("elsewhere"));
		JsonNode done = post("/jobs/" + first, Map.of("action", "cancel", "reason", "not needed", "by", "mallory"),
				"ada");
		assertThat(done.at("/outcome").asText()).isEqualTo("cancelled");
		assertThat(done.at("/by").asText()).isEqualTo("ada");
		assertThat(this.jobs.timeline(first)).last().satisfies((entry) -> {
			assertThat(entry.by()).isEqualTo("ada");
			assertThat(entry.reason()).isEqualTo("not needed");
		});
		assertThat(post("/jobs/" + first, Map.of("action", "cancel"), "ada").at("/outcome").asText())
			.isEqualTo("already-finished");
		UUID second = this.queue.enqueue("unhandled", 1, EnqueueOptions.defaults().queue("elsewhere"));
		post("/jobs/" + second, Map.of("action", "cancel", "by", "bob"), null);
		assertThat(this.jobs.timeline(second)).last().extracting(TimelineEntry::by).isEqualTo("bob");
	}

	@Test
	void scheduledJobIsRunNow() throws Exception {
		UUID later = this.queue.enqueue("pays", Map.of(),
				EnqueueOptions.defaults().runAt(java.time.Instant.parse("2099-01-01T00:00:00Z")));
		assertThat(post("/jobs/" + later, Map.of("action", "run-now"), "ada").at("/outcome").asText())
			.isEqualTo("made-ready");
		assertThat(TestJobStore.awaitFinished(open, later).state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(post("/jobs/" + later, Map.of("action", "run-now"), "ada").at("/outcome").asText())
			.isEqualTo("nothing-to-do");
	}

	@Test
	void deadLetterIsRedrivenOncePerRequest() throws Exception {
		UUID dead = this.queue.enqueue("fails", 1);
		TestJobStore.awaitFinished(open, dead);
		JsonNode created = post("/dead-letters/" + dead, Map.of("action", "redrive"), "ada");
		assertThat(created.at("/outcome").asText()).isEqualTo("created");
		JsonNode repeated = post("/jobs/" + dead, Map.of("action", "redrive"), "ada");
		assertThat(repeated.at("/outcome").asText()).isEqualTo("repeated");
		assertThat(repeated.at("/jobId")).isEqualTo(created.at("/jobId"));
		JsonNode another = post("/jobs/" + dead, Map.of("action", "redrive", "requestId", "twice"), "ada");
		assertThat(another.at("/jobId")).isNotEqualTo(created.at("/jobId"));
		UUID done = this.queue.enqueue("pays", Map.of());
		TestJobStore.awaitFinished(open, done);
		assertThat(post("/jobs/" + done, Map.of("action", "redrive"), "ada").at("/outcome").asText())
			.isEqualTo("not-a-dead-letter");
		assertThat(
				post("/jobs/" + done, Map.of("action", "redrive", "requestId", "twice"), "ada").at("/outcome").asText())
			.isIn("not-a-dead-letter", "request-id-of-another-job");
	}

	@Test
	void queueIsPausedResumedAndPurged() throws Exception {
		this.queue.enqueue("unhandled", 1, EnqueueOptions.defaults().queue("bulk"));
		assertThat(post("/queues/bulk", Map.of("action", "pause", "reason", "provider is down"), "ada").at("/outcome")
			.asText()).isEqualTo("paused");
		JsonNode shown = get("/queues/bulk");
		assertThat(shown.at("/paused/by").asText()).isEqualTo("ada");
		assertThat(shown.at("/jobs/ready/count").asInt()).isEqualTo(1);
		assertThat(shown.at("/jobs/ready/capped").asBoolean()).isFalse();
		assertThat(shown.at("/unhandled/0/type").asText()).isEqualTo("unhandled");
		assertThat(get("/queues").at("/items").findValuesAsText("queue")).contains("bulk", "default");
		assertThat(get("/queues/default").at("/nodes").size()).isOne();
		assertThat(post("/queues/bulk", Map.of("action", "resume"), "ada").at("/outcome").asText())
			.isEqualTo("resumed");
		assertThat(post("/queues/bulk", Map.of("action", "purge"), "ada").at("/jobs").asInt()).isEqualTo(1);
		assertThat(request(open, "/queues/bulk", null, null).statusCode()).isEqualTo(404);
	}

	@Test
	void keyIsReleasedByItsDigestOrItsJobAndNeverShown() throws Exception {
		String key = "tok_live_1234567890";
		EnqueueOptions options = EnqueueOptions.idempotency(Idempotency.key(key).scope("payments"));
		UUID first = this.queue.enqueue("unhandled", 1, options);
		JsonNode keys = get("/keys/payments?size=5");
		assertThat(keys.at("/items/0/jobId").asText()).isEqualTo(first.toString());
		assertThat(keys.toString()).doesNotContain(key);
		assertThat(get("/keys?scope=payments")).isEqualTo(keys);
		String digest = keys.at("/items/0/digest").asText();
		assertThat(post("/keys/payments", Map.of("action", "release-key", "digest", digest), "ada").at("/outcome")
			.asText()).isEqualTo("released");
		assertThat(get("/keys/payments").at("/items")).isEmpty();
		UUID second = this.queue.enqueue("unhandled", 1, options);
		assertThat(second).isNotEqualTo(first);
		assertThat(post("/jobs/" + second, Map.of("action", "release-key"), "ada").at("/outcome").asText())
			.isEqualTo("released");
		assertThat(post("/jobs/" + second, Map.of("action", "release-key"), "ada").at("/outcome").asText())
			.isEqualTo("nothing-to-do");
	}

	@Test
	void nothingCanBeDoneUnlessAllowed() throws Exception {
		UUID id = this.queue.enqueue("unhandled", 1, EnqueueOptions.defaults().queue("elsewhere"));
		assertThat(send(closed, "/jobs/" + id, Map.of("action", "cancel"), "ada").statusCode()).isEqualTo(405);
		assertThat(TestJobStore.find(open, id).orElseThrow().state()).isEqualTo(JobState.READY);
	}

	@ParameterizedTest
	@CsvSource({ "/jobs?state=tired, 400", "/jobs?after=something, 400", "/jobs?size=0, 400", "/jobs?size=x, 400",
			"/jobs/not-a-uuid, 400", "/jobs/00000000-0000-0000-0000-000000000000, 404", "/nothing, 404",
			"/nothing/here, 404", "/queues/nowhere, 404" })
	void readsThatMakeNoSenseAreRefused(String path, int status) throws Exception {
		assertThat(request(open, path, null, null).statusCode()).isEqualTo(status);
	}

	@ParameterizedTest
	@CsvSource({ "/jobs/00000000-0000-0000-0000-000000000000, cancel, 404", "/jobs/not-a-uuid, cancel, 400",
			"/queues/default, dance, 400", "/keys/default, release-key, 400", "/keys/default, dance, 400",
			"/nothing/here, cancel, 404" })
	void actionsThatMakeNoSenseAreRefused(String path, String action, int status) throws Exception {
		assertThat(send(open, path, Map.of("action", action), "ada").statusCode()).isEqualTo(status);
	}

	@Test
	void worksOverJmx() throws Exception {
		UUID id = this.queue.enqueue("unhandled", "very secret", EnqueueOptions.defaults().queue("jmx"));
		ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Workhorse");
		Object listed = invoke(name, "list", "jobs", "jmx", null, null, null, null, null, null, 10);
		assertThat(listed).asString().contains(id.toString());
		assertThat(invoke(name, "jobStore")).asString().contains("thisNode");
		assertThat(invoke(name, "show", "jobs", id.toString(), null, null)).asString()
			.contains("payload=******")
			.doesNotContain("very secret");
		Object done = invoke(name, "act", "jobs", id.toString(), "cancel", "ada", "over JMX", null, null, null);
		assertThat(done).asString().contains("outcome=cancelled");
		assertThat(this.jobs.timeline(id)).last().extracting(TimelineEntry::reason).isEqualTo("over JMX");
	}

	private static Object invoke(ObjectName name, String operation, @Nullable Object... arguments) throws Exception {
		var server = ManagementFactory.getPlatformMBeanServer();
		String[] signature = List.of(server.getMBeanInfo(name).getOperations())
			.stream()
			.filter((candidate) -> candidate.getName().equals(operation))
			.flatMap((candidate) -> List.of(candidate.getSignature()).stream())
			.map((parameter) -> parameter.getType())
			.toArray(String[]::new);
		return server.invoke(name, operation, arguments, signature);
	}

	private static JsonNode get(String path) throws Exception {
		return json(request(open, path, null, null));
	}

	private static JsonNode get(String path, String user, String role) throws Exception {
		return json(request(open, path, user, role));
	}

	private static JsonNode post(String path, Map<String, Object> body, @Nullable String user) throws Exception {
		return json(send(open, path, body, user));
	}

	private static JsonNode json(HttpResponse<String> response) throws IOException {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return json.readTree(response.body());
	}

	private static HttpResponse<String> request(ConfigurableApplicationContext application, String path,
			@Nullable String user, @Nullable String role) throws Exception {
		return send(application, path, user, role, HttpRequest.newBuilder().GET());
	}

	private static HttpResponse<String> send(ConfigurableApplicationContext application, String path,
			Map<String, Object> body, @Nullable String user) throws Exception {
		return send(application, path, user, null,
				HttpRequest.newBuilder()
					.header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body))));
	}

	private static HttpResponse<String> send(ConfigurableApplicationContext application, String path,
			@Nullable String user, @Nullable String role, HttpRequest.Builder request) throws Exception {
		String port = application.getEnvironment().getRequiredProperty("local.server.port");
		request.uri(URI.create("http://localhost:" + port + "/actuator/workhorse" + path));
		request.header("X-User", Objects.requireNonNullElse(user, ""));
		request.header("X-Role", Objects.requireNonNullElse(role, ""));
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private static ConfigurableApplicationContext application(String... properties) {
		return new SpringApplicationBuilder(Shop.class).properties(TestJobStore.properties(database))
			.properties("server.port=0", "spring.jmx.enabled=false", "spring.flyway.enabled=false",
					"spring.liquibase.enabled=false", "management.endpoints.web.exposure.include=workhorse",
					"spring.main.banner-mode=off")
			.properties(properties)
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@JobHandler("pays")
		Map<String, String> pay(Map<String, Object> payment) {
			return Map.of("receipt", "R-1");
		}

		@JobHandler("fails")
		void fail(String payload) {
			throw new PermanentFailureException("Cannot do " + payload);
		}

		@Bean
		SanitizingFunction hideCards() {
			return (data) -> (data.getKey().equals("payload.card")) ? data.withSanitizedValue() : data;
		}

		// stands for the application's security
		@Bean
		Filter principal() {
			return (request, response, chain) -> {
				HttpServletRequest http = (HttpServletRequest) request;
				String user = http.getHeader("X-User");
				chain.doFilter(new HttpServletRequestWrapper(http) {

					@Override
					public @Nullable Principal getUserPrincipal() {
						return (user != null && !user.isEmpty()) ? () -> user : null;
					}

					@Override
					public boolean isUserInRole(String role) {
						return role.equals(http.getHeader("X-Role"));
					}

				}, response);
			};
		}

	}

}
