package dev.workhorse.sample.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.workhorse.sample.feed.ChangesTour.Step;
import dev.workhorse.sample.webhooks.Summary;

/**
 * Says in a box of text what became of the feed.
 */
final class FeedReport {

	private static final int WIDTH = 80;

	private static final List<String> CLICKS = List.of("first click", "second click", "another amount");

	private final List<String> lines = new ArrayList<>();

	private FeedReport() {
	}

	static String of(FeedResult result) {
		FeedReport report = new FeedReport();
		report.deliveries(result);
		report.clicks(result);
		report.changes(result);
		report.paid(result);
		report.events(Summary.of(result.handled()).events());
		return report.box();
	}

	private void deliveries(FeedResult result) {
		long accepted = result.count("accepted");
		long errors = result.count("error");
		Summary summary = Summary.of(result.handled());
		long earlier = summary.jobs() - accepted;
		title("Webhooks, redelivered as providers do");
		row("deliveries sent", result.answers().size(), "%d different ones".formatted(result.deliveries()));
		row("accepted", accepted, "became a job");
		row("replayed", result.count("replayed"), "got the job they had got before");
		row("conflicts", result.count("conflict"), "same id, other body: 409");
		if (errors > 0) {
			row("errors", errors, "any other answer");
		}
		row("jobs run", summary.jobs(),
				(earlier > 0) ? "%d of them accepted before this start".formatted(earlier) : "");
		row("ran exactly once", summary.ranExactlyOnce(), verdict(result.deliveries(), summary));
		row("seconds", String.format(Locale.ROOT, "%.2f", result.elapsed().toMillis() / 1000.0), "");
	}

	private static String verdict(int deliveries, Summary summary) {
		if (summary.jobs() != deliveries) {
			return "NOT EVERY DELIVERY WAS HANDLED";
		}
		long again = summary.jobs() - summary.ranExactlyOnce();
		return (again == 0) ? "every one, counted in SQL"
				: "%d ran again after their node died: at least once".formatted(again);
	}

	private void clicks(FeedResult result) {
		title("An order, double-clicked");
		for (int i = 0; i < CLICKS.size(); i++) {
			Answer answer = result.clicks().get(i);
			row(CLICKS.get(i), answer.status(), "%s, job %s".formatted(answer.outcome(), answer.jobId()));
		}
	}

	private void changes(FeedResult result) {
		title("Changes, of which the last one wins");
		for (Step step : result.changes()) {
			Answer answer = step.answer();
			row(step.name(), answer.status(), (answer.jobId() != null)
					? "%s, job %s".formatted(answer.outcome(), answer.jobId()) : answer.outcome());
		}
	}

	private void paid(FeedResult result) {
		title("A payment, reported twice");
		row("events", result.paid().events().size(), "order.paid, emitted once");
		row("subscribers", result.paid().effects().size(), String.join(", ", result.paid().effects()));
	}

	private void events(Map<String, Long> events) {
		title("Jobs by kind of event");
		events.forEach((event, jobs) -> {
			if (jobs > 1) {
				row(event, jobs, "");
			}
		});
		row("other kinds", events.values().stream().filter((jobs) -> jobs == 1).count(), "one each");
	}

	private void title(String title) {
		if (!this.lines.isEmpty()) {
			this.lines.add("");
		}
		this.lines.add(title);
	}

	private void row(String name, Object value, String remark) {
		this.lines.add("  %-17s %6s  %s".formatted(name, value, remark));
	}

	private String box() {
		String edge = "+" + "-".repeat(WIDTH + 2) + "+\n";
		StringBuilder box = new StringBuilder(edge);
		for (String line : this.lines) {
			box.append(("| %-" + WIDTH + "s |\n").formatted(line));
		}
		return box.append(edge).toString();
	}

}
