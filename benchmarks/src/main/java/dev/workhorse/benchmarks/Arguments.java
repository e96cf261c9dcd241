package dev.workhorse.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param only the names of the workloads to run, none for all
 * @param warmUp how many rounds of requests do not count
 * @param rounds how often each workload measures each contender
 * @param each how long one measurement of a rate lasts
 * @param scale what numbers of jobs are multiplied by
 * @param flow how long the sustained flow lasts
 * @param report the Markdown file whose blocks are replaced
 */
record Arguments(List<String> only, int warmUp, int rounds, Duration each, double scale, Duration flow, Path report) {

	static Arguments parse(String... args) {
		List<String> only = new ArrayList<>();
		int warmUp = 4;
		int rounds = 5;
		Duration each = Duration.ofSeconds(2);
		double scale = 1;
		Duration flow = Duration.ofMinutes(30);
		Path report = Path.of("docs", "performance.md");
		for (int i = 0; i < args.length; i += 2) {
			if (i + 1 == args.length) {
				throw new IllegalArgumentException(args[i] + " needs a value");
			}
			String value = args[i + 1];
			switch (args[i]) {
				case "--only" -> only.addAll(List.of(value.split(",")));
				case "--warm-up" -> warmUp = Integer.parseInt(value);
				case "--rounds" -> rounds = Integer.parseInt(value);
				case "--millis" -> each = Duration.ofMillis(Long.parseLong(value));
				case "--scale" -> scale = Double.parseDouble(value);
				case "--minutes" -> flow = Duration.ofMinutes(Long.parseLong(value));
				case "--report" -> report = Path.of(value);
				default -> throw new IllegalArgumentException("Unknown option " + args[i]
						+ ": there are --only, --warm-up, --rounds, --millis, --scale, --minutes and --report");
			}
		}
		return new Arguments(List.copyOf(only), warmUp, rounds, each, scale, flow, report);
	}

	int jobs(int number) {
		return (int) Math.max(100, number * this.scale);
	}

}
