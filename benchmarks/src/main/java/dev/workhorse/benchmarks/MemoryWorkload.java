package dev.workhorse.benchmarks;

import java.util.stream.LongStream;

/**
 * Whether a worker gets along with a small heap.
 */
final class MemoryWorkload implements Workload {

	private static final int JOBS = 100_000;

	private static final String KILOBYTE = "x".repeat(1_000);

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		int jobs = arguments.jobs(JOBS);
		try (Contender workhorse = new WorkhorseContender(database)) {
			for (int first = 0; first < jobs; first += 1_000) {
				workhorse.enqueueAll(LongStream.range(first, Math.min(jobs, first + 1_000))
					.mapToObj((number) -> new Payload(number, KILOBYTE))
					.toList());
			}
		}
		database.settle();
		DrainNodes.Drained drained = new DrainNodes(database).drain(1, "-Xmx256m");
		return new Section(
				"A worker with `-Xmx256m` ended %,d jobs of 1 KB in %.1f s; sum of the peaks of its heap's areas: %s."
					.formatted(jobs, drained.seconds(), drained.peaks().get(0)),
				null);
	}

}
