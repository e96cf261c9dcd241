package dev.workhorse.sample.feed;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.workhorse.sample.RunningSample;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class WebhookFeedIntegrationTests {

	private static final int DELIVERIES = 72;

	private static final int TAMPERED = 5;

	@Test
	void everyDeliveryRunsOnceAndAFurtherStartRunsNothing(CapturedOutput output) throws Exception {
		int sent = FeedPlan.of(Delivery.recorded(JsonMapper.shared())).size();
		try (TestDatabase database = RunningSample.emptyDatabase()) {
			try (RunningSample sample = RunningSample.start(database)) {
				String report = awaitReport(output, 1);
				assertRow(report, "deliveries sent", sent);
				assertRow(report, "accepted", DELIVERIES);
				assertRow(report, "replayed", sent - DELIVERIES - TAMPERED);
				assertRow(report, "conflicts", TAMPERED);
				assertRow(report, "jobs run", DELIVERIES);
				assertRow(report, "ran exactly once", DELIVERIES);
				assertThat(report).contains("every one, counted in SQL").doesNotContain("errors");
				assertThat(report).containsPattern("first click +202 +accepted")
					.containsPattern("second click +202 +replayed")
					.containsPattern("another amount +409 +conflict");
				assertThat(report).containsPattern("A-2001 pending +202 +created")
					.containsPattern("A-2001 paid +202 +updated")
					.containsPattern("A-2002 packing +202 +created")
					.containsPattern("A-2002 shipped +202 +superseded")
					.containsPattern("index Green tea +202 +(updated|created)")
					.containsPattern("events +1 ")
					.containsPattern("subscribers +2 +receipt, stock");
				assertThat(sample.count("select count(*) from handled_deliveries")).isEqualTo(DELIVERIES);
				assertThat(sample.count("select count(*) from captures")).isOne();
				assertThat(sample.getJson("/summary").path("ranExactlyOnce").asInt()).isEqualTo(DELIVERIES);
			}
			try (RunningSample restarted = RunningSample.start(database)) {
				String report = awaitReport(output, 2);
				assertRow(report, "accepted", 0);
				assertRow(report, "replayed", sent - TAMPERED);
				assertRow(report, "conflicts", TAMPERED);
				assertRow(report, "ran exactly once", DELIVERIES);
				assertThat(report).contains(DELIVERIES + " of them accepted before this start");
				assertThat(report).containsPattern("first click +202 +replayed");
				assertThat(restarted.count("select count(*) from handled_deliveries")).isEqualTo(DELIVERIES);
				assertThat(restarted.count("select count(*) from captures")).isOne();
			}
		}
	}

	private static String awaitReport(CapturedOutput output, int number) {
		String[] parts = Await.value("report " + number, Duration.ofSeconds(60),
				() -> output.getOut().split("Still serving", -1), (reports) -> reports.length > number);
		return parts[number - 1];
	}

	private static void assertRow(String report, String name, long value) {
		Matcher row = Pattern.compile(Pattern.quote(name) + " +(\\d+) ").matcher(report);
		assertThat(row.find()).as("row '%s' of %s", name, report).isTrue();
		assertThat(Long.parseLong(row.group(1))).as("row '%s' of %s", name, report).isEqualTo(value);
	}

}
