package dev.workhorse.sample.fulfilment;

import dev.workhorse.sample.RunningSample;
import dev.workhorse.sample.RunningSample.Response;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class FulfilmentIntegrationTests {

	private static TestDatabase database;

	private static RunningSample sample;

	@BeforeAll
	static void start() {
		database = RunningSample.emptyDatabase();
		sample = RunningSample.start(database, "sample.feed=false", "sample.payment-timeout=3s");
	}

	@AfterAll
	static void stop() {
		sample.close();
		database.close();
	}

	@Test
	void paidOrderIsShippedAndEveryStepIsDoneOnce() throws Exception {
		Response started = fulfil("paid");
		assertThat(started.status()).isEqualTo(202);
		assertThat(started.text("outcome")).isEqualTo("created");
		assertThat(sample.post("/payments/paid/settled", "").status()).isEqualTo(202);
		assertThat(sample.post("/payments/other/settled", "").status()).isEqualTo(202);
		awaitSteps("paid", "[\"reserved\",\"charged\",\"shipped\"]");
		awaitEnd(started.text("jobId"), "\"shipped\"");
		assertThat(fulfil("paid").text("outcome")).isEqualTo("retained");
	}

	@Test
	void orderThatIsNotPaidInTimeIsReleased() throws Exception {
		Response started = fulfil("unpaid");
		Await.until("the wait",
				() -> sample.count(
						"select count(*) from workhorse.job_run where state = 'waiting' and job_id = ?::uuid",
						started.text("jobId")) == 1);
		awaitSteps("unpaid", "[\"reserved\",\"charged\",\"released\"]");
		awaitEnd(started.text("jobId"), "\"released\"");
	}

	private static Response fulfil(String orderId) throws Exception {
		return sample.post("/fulfilments",
				"{\"orderId\": \"%s\", \"article\": \"chair\", \"quantity\": 2}".formatted(orderId));
	}

	private static void awaitSteps(String orderId, String steps) {
		Await.value("the steps of order " + orderId, () -> steps(orderId), (found) -> found.toString().equals(steps));
	}

	private static JsonNode steps(String orderId) {
		try {
			return sample.getJson("/fulfilments/" + orderId).path("steps");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitEnd(String jobId, String result) {
		Await.until("the end", () -> sample.count(
				"select count(*) from workhorse.job_outcome where job_id = ?::uuid and attempt = 1 and result = ?::jsonb",
				jobId, result) == 1);
	}

}
