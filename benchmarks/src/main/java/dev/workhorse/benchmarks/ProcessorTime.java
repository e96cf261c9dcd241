package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How long processes have been on a processor. Those that have ended are not counted.
 */
final class ProcessorTime {

	private ProcessorTime() {
	}

	/**
	 * The JVMs that this one has started.
	 */
	static Duration ofNodes() {
		return of(ProcessHandle.current().children(), (command) -> command.endsWith("java"));
	}

	/**
	 * The processes of PostgreSQL.
	 */
	static Duration ofServer() {
		return of(ProcessHandle.allProcesses(), (command) -> command.contains("postgres"));
	}

	private static Duration of(Stream<ProcessHandle> processes, Predicate<String> command) {
		return processes.map(ProcessHandle::info)
			.filter((process) -> process.command().filter(command).isPresent())
			.flatMap((process) -> process.totalCpuDuration().stream())
			.reduce(Duration.ZERO, Duration::plus);
	}

}
