package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What more nodes bring on one database.
 */
final class NodesWorkload implements Workload {

	private static final int JOBS = 300_000;

	private static final int MOST_NODES = 4;

	@Override
	public String name() {
		return "nodes";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		int jobs = arguments.jobs(JOBS);
		Map<Integer, Figures> rates = new LinkedHashMap<>();
		Map<Integer, String> waits = new LinkedHashMap<>();
		Map<Integer, String> processors = new LinkedHashMap<>();
		for (int round = 0; round < Math.min(3, arguments.rounds()); round++) {
			for (int nodes = 1; nodes <= MOST_NODES; nodes *= 2) {
				database.truncate();
				database.fill(jobs, "ready");
				database.settle();
				DrainNodes.Drained drained = new DrainNodes(database).drain(nodes);
				rates.computeIfAbsent(nodes, (key) -> new Figures()).add(jobs / drained.seconds());
				waits.put(nodes, shares(drained.waits()));
				processors.put(nodes, "%s | %s".formatted(share(drained.spent(), drained.seconds()),
						share(drained.spentByServer(), drained.seconds())));
			}
		}
		database.truncate();
		StringBuilder table = new StringBuilder(
				"| nodes | jobs a second | processors: nodes | server | what busy sessions did |\n|---|---|---|---|---|\n");
		rates.forEach((nodes, rate) -> table.append(
				"| %d | %s | %s | %s |%n".formatted(nodes, rate.spread(), processors.get(nodes), waits.get(nodes))));
		return new Section(
				table + "\n%,d jobs that do nothing; each node a JVM of its own with %d handlers, started cold."
					.formatted(jobs, Contender.WORKERS),
				null);
	}

	private static String share(Duration spent, double seconds) {
		return "%.0f %%".formatted(spent.toNanos() / 1e7 / seconds / Runtime.getRuntime().availableProcessors());
	}

	private static String shares(Map<String, Integer> waits) {
		double all = Math.max(1, waits.values().stream().mapToInt((sessions) -> sessions).sum());
		return waits.entrySet()
			.stream()
			.filter((wait) -> wait.getValue() / all >= 0.02)
			.sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
			.map((wait) -> String.format(Locale.ROOT, "%s %.0f %%", wait.getKey(), wait.getValue() / all * 100))
			.collect(Collectors.joining(", "));
	}

}
