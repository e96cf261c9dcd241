package dev.workhorse.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.workhorse.CoreDatabase;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with two nodes that are restarted one after the other while jobs come in.
 */
class RollingRestartIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final CoreDatabase database = CoreDatabase.create();

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void restartsCostNoAttemptAndDelayNobody() throws Exception {
		// G12 (jobrunr/jobrunr#1528; spring-batch#5312; dolphinscheduler#1506)
		Effects.createTables(database.dataSource());
		List<ChildJvm> all = new ArrayList<>();
		try {
			ChildJvm[] nodes = { start(all), start(all) };
			for (ChildJvm node : nodes) {
				node.awaitLine("working", PATIENCE);
			}
			Producers producers = new Producers(database.dataSource(), Duration.ofMillis(10));
			producers.start(2, 1);
			for (int restart = 0; restart < 4; restart++) {
				ChildJvm old = nodes[restart % 2];
				old.terminate();
				assertThat(old.exitCode(PATIENCE)).isEqualTo(143);
				nodes[restart % 2] = start(all);
				nodes[restart % 2].awaitLine("working", PATIENCE);
			}
			producers.stop();
			Await.until("end of all jobs", PATIENCE, () -> database.count("job_run") == 0);
			System.out.println("Rolling restart: " + producers);
			producers.check(database.dataSource());
		}
		finally {
			all.forEach(ChildJvm::close);
		}
		checkJobs(database.jdbc());
		assertThat(all).allSatisfy(
				(node) -> assertThat(node.lines()).noneMatch((line) -> line.contains("closed") || line.contains("WARN")
						|| line.contains("ERROR") || line.contains("Exception") || line.startsWith("lost ")));
		assertThat(all.subList(0, 4)).allSatisfy((node) -> assertThat(node.lines()).contains("stopped"));
	}

	private static ChildJvm start(List<ChildJvm> all) {
		ChildJvm node = ChaosWorker.start(database.database().jdbcUrl(), "node-" + (all.size() + 1),
				ChaosWorker.Nature.CALM);
		all.add(node);
		return node;
	}

	private static void checkJobs(JdbcTemplate jdbc) {
		assertThat(jdbc.queryForList("""
				select format('%s: %s, attempt %s', job_id, state, attempt)
				from workhorse.job_outcome
				where state <> 'succeeded' or attempt <> 1
				""", String.class)).isEmpty();
		assertThat(jdbc.queryForList("select kind from workhorse.job_event where kind <> 'attempt-released'",
				String.class))
			.isEmpty();
		Effects effects = new Effects(database.dataSource());
		effects.checkFences();
		assertThat((long) effects.count()).isEqualTo(database.count("job_outcome"));
		Double longest = jdbc.queryForObject("""
				select extract(epoch from max(job_outcome.started_at - job.created_at))
				from workhorse.job
				join workhorse.job_outcome on job_outcome.job_id = job.id
				where job.key_mode is distinct from 'debounce'
				""", Double.class);
		System.out.println("Longest wait for a start: " + longest + " s");
		assertThat(longest).isLessThan(5);
	}

}
