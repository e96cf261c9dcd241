package dev.workhorse.sample.orders;

import dev.workhorse.sample.RunningSample;
import dev.workhorse.sample.RunningSample.Response;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OrdersIntegrationTests {

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
	void doubleClickGetsTheSameJobAndOneCapture() throws Exception {
		Response first = order("double", "12.50");
		Response second = order("double", "12.50");
		assertThat(first.status()).isEqualTo(202);
		assertThat(first.text("orderId")).isEqualTo("double");
		assertThat(first.text("outcome")).isEqualTo("accepted");
		assertThat(second.status()).isEqualTo(202);
		assertThat(second.text("outcome")).isEqualTo("replayed");
		assertThat(second.text("jobId")).isEqualTo(first.text("jobId"));
		awaitCapture("double");
		assertThat(order("double", "12.50").text("jobId")).isEqualTo(first.text("jobId"));
		assertThat(jobs(first)).isOne();
	}

	@Test
	void sameAmountWrittenDifferentlyIsTheSameOrder() throws Exception {
		Response first = order("spelling", "12.50");
		assertThat(order("spelling", "12.5").text("jobId")).isEqualTo(first.text("jobId"));
	}

	@Test
	void sixteenClicksAtOnceMakeOneOrderAndOneCapture() throws Exception {
		Race.Outcomes<Response> clicks = Race.of(16).run(() -> order("race", "80.00"));
		assertThat(clicks.failures()).isEmpty();
		assertThat(clicks.values()).hasSize(16).allMatch((answer) -> answer.status() == 202);
		assertThat(clicks.values()).extracting((answer) -> answer.text("jobId")).containsOnly(firstJob(clicks));
		assertThat(clicks.values()).filteredOn((answer) -> answer.text("outcome").equals("accepted")).hasSize(1);
		awaitCapture("race");
		assertThat(sample.count("select count(*) from orders where order_id = 'race'")).isOne();
		assertThat(sample.count("select count(*) from captures where order_id = 'race'")).isOne();
	}

	@Test
	void anotherAmountIsAConflictThatNamesWhatDiffers() throws Exception {
		Response first = order("conflict", "12.50");
		Response other = order("conflict", "99.00");
		assertThat(other.status()).isEqualTo(409);
		assertThat(other.contentType()).isEqualTo("application/problem+json");
		assertThat(other.text("type")).isEqualTo("urn:problem-type:idempotency-conflict");
		assertThat(other.text("code")).isEqualTo("idempotency-conflict");
		assertThat(other.text("existingJobId")).isEqualTo(first.text("jobId"));
		assertThat(other.texts("conflictingFields")).containsExactly("payload");
		assertThat(other.texts("payloadPointers")).containsExactly("/amount");
		assertThat(sample.count("select count(*) from orders where order_id = 'conflict' and amount = 12.50")).isOne();
		assertThat(order("conflict", "12.50").text("jobId")).isEqualTo(first.text("jobId"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "not json", "{\"orderId\": \"\", \"customer\": \"Ada\", \"amount\": 1}",
			"{\"orderId\": \"x\", \"customer\": \"Ada\", \"amount\": 0}",
			"{\"orderId\": \"x\", \"customer\": \"Ada\", \"amount\": 1.234}",
			"{\"orderId\": \"x\", \"customer\": \"Ada\", \"amount\": \"much\"}" })
	void badInputIsAProblemAndStoresNothing(String body) throws Exception {
		Response answer = sample.post("/orders", body);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.contentType()).isEqualTo("application/problem+json");
		assertThat(sample.count("select count(*) from orders where order_id in ('', 'x')")).isZero();
	}

	@Test
	void problemNamesTheFieldsThatAreWrong() throws Exception {
		Response answer = sample.post("/orders", "{\"orderId\": \"x\", \"amount\": -1}");
		assertThat(answer.body().path("errors").propertyNames()).containsExactly("amount", "customer");
	}

	private static Response order(String orderId, String amount) throws Exception {
		return sample.post("/orders",
				"{\"orderId\": \"%s\", \"customer\": \"Ada\", \"amount\": %s}".formatted(orderId, amount));
	}

	private static String firstJob(Race.Outcomes<Response> clicks) {
		return clicks.values().get(0).text("jobId");
	}

	private static long jobs(Response answer) {
		return sample.count("""
				select count(*)
				from workhorse.job
				where payload->>'orderId' = (select payload->>'orderId' from workhorse.job where id = ?::uuid)""",
				answer.text("jobId"));
	}

	private static void awaitCapture(String orderId) {
		Await.until("capture of order " + orderId,
				() -> sample.count("select count(*) from captures where order_id = ?", orderId) == 1);
	}

}
