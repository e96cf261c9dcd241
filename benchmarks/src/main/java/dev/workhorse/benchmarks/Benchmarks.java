package dev.workhorse.benchmarks;

import java.util.List;

/**
 * Runs the workloads and writes what it finds into the report. No test: figures depend on
 * the machine, and only ratios within one run mean anything.
 */
public final class Benchmarks {

	private static final List<Workload> WORKLOADS = List.of(new EnqueueWorkload(), DrainWorkload.noOp(),
			DrainWorkload.payloads(), new LatencyWorkload(), new BacklogWorkload(), new OldTransactionWorkload(),
			new IdleWorkload(), new MemoryWorkload(), new NodesWorkload(), new FlowWorkload());

	private Benchmarks() {
	}

	/**
	 * Run the workloads that the arguments name, or all.
	 */
	public static void main(String[] args) throws Exception {
		run(Arguments.parse(args));
		// some peers leave threads behind
		System.exit(0);
	}

	static void run(Arguments arguments) throws Exception {
		List<String> unknown = arguments.only()
			.stream()
			.filter((name) -> WORKLOADS.stream().noneMatch((workload) -> workload.name().equals(name)))
			.toList();
		if (!unknown.isEmpty()) {
			throw new IllegalArgumentException("No workload is called " + unknown + "; there are "
					+ WORKLOADS.stream().map(Workload::name).toList());
		}
		Report report = new Report(arguments.report());
		try (BenchmarkDatabase database = new BenchmarkDatabase()) {
			if (arguments.scale() >= 1) {
				database.warmLog();
			}
			for (Workload workload : WORKLOADS) {
				if (arguments.only().isEmpty() || arguments.only().contains(workload.name())) {
					System.out.println("Runs " + workload.name());
					database.truncate();
					Section section = workload.run(database, arguments);
					database.closePools();
					System.out.println(section.markdown());
					report.write(workload.name(),
							new Section(section.markdown() + "\n\n" + database.facts() + ".\n", section.chart()));
				}
			}
		}
	}

}
