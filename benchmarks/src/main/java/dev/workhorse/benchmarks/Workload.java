package dev.workhorse.benchmarks;

/**
 * One thing that is measured, for all contenders in turn.
 */
interface Workload {

	/**
	 * What it is called on the command line and in the report.
	 */
	String name();

	/**
	 * Measure it.
	 */
	Section run(BenchmarkDatabase database, Arguments arguments) throws Exception;

}
