package dev.workhorse.sample.updates;

import java.util.List;

import dev.workhorse.sample.RunningSample;
import dev.workhorse.sample.RunningSample.Response;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UpdatesIntegrationTests {

	private static TestDatabase database;

	private static RunningSample sample;

	@BeforeAll
	static void start() {
		database = RunningSample.emptyDatabase();
		sample = RunningSample.start(database, "sample.feed=false", "sample.index-slot=1s", "sample.slow-work=10s");
	}

	@AfterAll
	static void stop() {
		sample.close();
		database.close();
	}

	@Test
	void orderThatIsPaidBeforeItsUpdateRanRunsOnceWithPaid() throws Exception {
		Response pending = status("A-1", "pending", "1h");
		assertThat(pending.text("outcome")).isEqualTo("created");
		Response paid = status("A-1", "paid", "0s");
		assertThat(paid.text("outcome")).isEqualTo("updated");
		assertThat(paid.text("jobId")).isEqualTo(pending.text("jobId"));
		Await.until("done", () -> done("status", "A-1", "paid") == 1);
		assertThat(sample.count("select count(*) from updates_done where subject = 'A-1'")).isOne();
		assertThat(status("A-1", "shipped", "0s").text("outcome")).isEqualTo("retained");
	}

	@Test
	void orderThatMovesOnWhileItIsPackedSupersedesThePacking() throws Exception {
		String packing = status("A-2", "packing", "0s").text("jobId");
		Await.until("packing",
				() -> sample.count(
						"select count(*) from workhorse.job_run where job_id = cast(? as uuid) and state = 'running'",
						packing) == 1);
		Response shipped = status("A-2", "shipped", "0s");
		assertThat(shipped.text("outcome")).isEqualTo("superseded");
		assertThat(shipped.text("jobId")).isNotEqualTo(packing);
		Await.until("shipped", () -> done("status", "A-2", "shipped") == 1);
		assertThat(done("status", "A-2", "packing")).isZero();
	}

	@Test
	void oneOfManySyncsAtOnceRuns() {
		Race.Outcomes<Response> syncs = Race.of(8).run(() -> sample.post("/customers/Ada/sync", ""));
		assertThat(syncs.failures()).isEmpty();
		List<String> created = syncs.values()
			.stream()
			.filter((answer) -> answer.text("outcome").equals("created"))
			.map((answer) -> answer.text("jobId"))
			.toList();
		// a second one only if a full minute came in between
		assertThat(created).hasSizeBetween(1, 2);
		assertThat(syncs.values()).filteredOn((answer) -> answer.text("outcome").equals("throttled"))
			.hasSize(8 - created.size())
			.allMatch((answer) -> answer.text("jobId").isEmpty());
	}

	@Test
	void productIsIndexedWithItsLatestName() throws Exception {
		Response last = null;
		for (String name : List.of("Tea", "Green tea", "Green tea, loose")) {
			last = sample.post("/products", "{\"productId\": \"P-1\", \"name\": \"%s\"}".formatted(name));
			assertThat(last.text("outcome")).isIn("created", "updated");
		}
		Await.until("indexed", () -> done("index", "P-1", "Green tea, loose") == 1);
		// twice only if a second began in between
		assertThat(sample.count("select count(*) from updates_done where subject = 'P-1'")).isBetween(1L, 2L);
	}

	@Test
	void badUpdateIsAProblem() throws Exception {
		assertThat(status("", "paid", "0s").status()).isEqualTo(400);
		assertThat(status("A-3", "paid", "400d").status()).isEqualTo(400);
	}

	private static Response status(String orderId, String status, String delay) throws Exception {
		return sample.post("/order-status?delay=" + delay,
				"{\"orderId\": \"%s\", \"status\": \"%s\"}".formatted(orderId, status));
	}

	private static long done(String what, String subject, String value) {
		return sample.count("select count(*) from updates_done where what = ? and subject = ? and value = ?", what,
				subject, value);
	}

}
