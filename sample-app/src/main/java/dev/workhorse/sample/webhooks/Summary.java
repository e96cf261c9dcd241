package dev.workhorse.sample.webhooks;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.workhorse.sample.webhooks.HandledDeliveries.Handled;

/**
 * What the handlers have done.
 *
 * @param jobs the number of jobs that ran
 * @param ranExactlyOnce the number of those that ran exactly once
 * @param events the number of jobs by kind of event, most frequent first
 * @param repositories the number of jobs by repository, most frequent first
 */
public record Summary(long jobs, long ranExactlyOnce, Map<String, Long> events, Map<String, Long> repositories) {

	/**
	 * Summarise deliveries.
	 * @param handled the deliveries that were handled
	 * @return the summary
	 */
	public static Summary of(List<Handled> handled) {
		return new Summary(handled.size(), handled.stream().filter((delivery) -> delivery.runs() == 1).count(),
				count(handled, Handled::event),
				count(handled, (delivery) -> Objects.requireNonNullElse(delivery.repository(), "(none)")));
	}

	private static Map<String, Long> count(List<Handled> handled, Function<Handled, String> property) {
		Map<String, Long> counts = new LinkedHashMap<>();
		handled.stream()
			.collect(Collectors.groupingBy(property, Collectors.counting()))
			.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
				.thenComparing(Map.Entry.comparingByKey()))
			.forEach((entry) -> counts.put(entry.getKey(), entry.getValue()));
		return counts;
	}

}
