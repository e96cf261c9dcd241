package dev.workhorse.sample.payments;

import dev.workhorse.sample.RunningSample;
import dev.workhorse.sample.RunningSample.Response;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PaymentsIntegrationTests {

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
	void paymentReportedManyTimesIsOneEventAndEachSubscriberActsOnce() {
		Race.Outcomes<Response> reports = Race.of(8).run(() -> pay("P-1"));
		assertThat(reports.failures()).isEmpty();
		String event = reports.values().get(0).text("eventId");
		assertThat(reports.values()).hasSize(8)
			.allMatch((answer) -> answer.status() == 202)
			.allMatch((answer) -> answer.text("eventId").equals(event));
		Await.until("a receipt and a reservation", () -> effects("receipt", event) + effects("stock", event) == 2);
		assertThat(effects("receipt", event)).isOne();
		assertThat(effects("stock", event)).isOne();
		assertThat(sample.count("select count(*) from workhorse.job where event ->> 'id' = ?", event)).isEqualTo(2);
	}

	@Test
	void reservationIsNotToldTheAmount() throws Exception {
		String event = pay("P-2").text("eventId");
		Await.until("both jobs",
				() -> sample.count("select count(*) from workhorse.job where event ->> 'id' = ?", event) == 2);
		assertThat(sample.count("""
				select count(*) from workhorse.job
				where event ->> 'id' = ? and type = 'stock.reserve' and payload = '{"orderId": "P-2"}'""", event))
			.isOne();
	}

	@Test
	void badPaymentIsAProblemAndEmitsNothing() throws Exception {
		assertThat(sample.post("/payments", "{\"orderId\": \"bad\", \"amount\": -1}").status()).isEqualTo(400);
		assertThat(sample.count("select count(*) from workhorse.event where payload ->> 'orderId' = 'bad'")).isZero();
	}

	private static Response pay(String orderId) throws Exception {
		return sample.post("/payments", "{\"orderId\": \"%s\", \"amount\": 12.50}".formatted(orderId));
	}

	private static long effects(String what, String event) {
		return sample.count("select count(*) from payment_effects where what = ? and event_id = cast(? as uuid)", what,
				event);
	}

}
