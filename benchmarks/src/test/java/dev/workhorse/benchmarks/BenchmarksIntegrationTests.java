package dev.workhorse.benchmarks;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a few workloads for a moment, so that they cannot rot. What they measure means
 * nothing here.
 */
class BenchmarksIntegrationTests {

	@Test
	void writesItsReport(@TempDir Path directory) throws Exception {
		Path report = directory.resolve("performance.md");
		Benchmarks.run(Arguments.parse("--only", "enqueue,old-transaction,idle", "--warm-up", "1", "--rounds", "1",
				"--millis", "30", "--scale", "0.01", "--report", report.toString()));
		assertThat(report).content()
			.contains("<!-- benchmark: enqueue -->", "| new key | 16 |", "of db-scheduler", "of JobRunr",
					"<!-- benchmark: old-transaction -->", "1,000 jobs, all of them", "<!-- benchmark: idle -->");
		assertThat(directory.resolve("images/performance-enqueue.svg")).exists();
	}

}
