package dev.workhorse.sample.webhooks;

import dev.workhorse.sample.RunningSample;
import dev.workhorse.sample.RunningSample.Response;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class WebhooksIntegrationTests {

	private static final String STAR = """
			{"action": "created", "repository": {"id": 9007199254740993, "full_name": "octo-org/octo-repo"}}""";

	private static TestDatabase database;

	private static RunningSample sample;

	@BeforeAll
	static void start() {
		database = RunningSample.emptyDatabase();
		sample = RunningSample.start(database, "sample.feed=false");
	}

	@AfterAll
	static void stop() {
		sample.close();
		database.close();
	}

	@Test
	void deliveryIsAcceptedAndHandledOnceHoweverOftenItComes() throws Exception {
		Response first = deliver("delivery-often", STAR);
		assertThat(first.status()).isEqualTo(202);
		assertThat(first.text("outcome")).isEqualTo("accepted");
		Response following = deliver("delivery-often", STAR);
		awaitHandled(first);
		Response late = deliver("delivery-often", STAR);
		assertThat(following).isEqualTo(late);
		assertThat(late.status()).isEqualTo(202);
		assertThat(late.text("outcome")).isEqualTo("replayed");
		assertThat(late.text("jobId")).isEqualTo(first.text("jobId"));
		assertThat(handled(first)).isOne();
	}

	@Test
	void orderOfPropertiesAndWhiteSpaceDoNotMatter() throws Exception {
		Response first = deliver("delivery-shape", STAR);
		Response second = deliver("delivery-shape", """
				{ "repository": { "full_name": "octo-org/octo-repo",
				  "id": 9007199254740993 }, "action": "created" }""");
		assertThat(second.text("outcome")).isEqualTo("replayed");
		assertThat(second.text("jobId")).isEqualTo(first.text("jobId"));
	}

	@Test
	void sameIdWithAnotherBodyIsAConflict() throws Exception {
		Response first = deliver("delivery-conflict", STAR);
		Response other = deliver("delivery-conflict", STAR.replace("9007199254740993", "9007199254740992"));
		assertThat(other.status()).isEqualTo(409);
		assertThat(other.contentType()).isEqualTo("application/problem+json");
		assertThat(other.text("scope")).isEqualTo("github");
		assertThat(other.text("existingJobId")).isEqualTo(first.text("jobId"));
		assertThat(other.texts("payloadPointers")).containsExactly("/body/repository/id");
		assertThat(other.body().toString()).doesNotContain("delivery-conflict");
	}

	@Test
	void missingHeadersAreAProblem() throws Exception {
		Response noDelivery = sample.post("/webhooks/github", STAR, "X-GitHub-Event: star");
		Response noEvent = sample.post("/webhooks/github", STAR, "X-GitHub-Delivery: delivery-no-event");
		assertThat(noDelivery.status()).isEqualTo(400);
		assertThat(noDelivery.text("detail")).contains("X-GitHub-Delivery");
		assertThat(noEvent.status()).isEqualTo(400);
		assertThat(noEvent.text("detail")).contains("X-GitHub-Event");
	}

	@Test
	void keyOutOfBoundsIsAProblemThatDoesNotShowIt() throws Exception {
		Response answer = deliver("k".repeat(513), STAR);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.contentType()).isEqualTo("application/problem+json");
		assertThat(answer.text("field")).isEqualTo("key");
		assertThat(answer.body().toString()).doesNotContain("kkkk");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "\"text\"", "{\"nul\": \"\\u0000\"}" })
	void bodyThatIsNoJsonObjectForADatabaseIsAProblem(String body) throws Exception {
		Response answer = deliver("delivery-bad", body);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.contentType()).isEqualTo("application/problem+json");
	}

	@Test
	void summaryCountsByEventAndRepository() throws Exception {
		Response first = deliver("delivery-summary", STAR);
		awaitHandled(first);
		JsonNode summary = sample.getJson("/summary");
		assertThat(summary.path("jobs").asLong()).isPositive().isEqualTo(summary.path("ranExactlyOnce").asLong());
		assertThat(summary.path("events").path("star").asLong()).isPositive();
		assertThat(summary.path("repositories").path("octo-org/octo-repo").asLong()).isPositive();
	}

	@Test
	void homeSaysWhatToTry() throws Exception {
		assertThat(sample.get("/")).contains("/orders", "/webhooks/github", "/summary", "/actuator/workhorse");
	}

	private static Response deliver(String id, String body) throws Exception {
		return sample.post("/webhooks/github", body, "X-GitHub-Delivery: " + id, "X-GitHub-Event: star");
	}

	private static long handled(Response answer) {
		return sample.count("select count(*) from handled_deliveries where job_id = ?::uuid", answer.text("jobId"));
	}

	private static void awaitHandled(Response answer) {
		Await.until("job " + answer.text("jobId") + " handled", () -> handled(answer) > 0);
	}

}
