package dev.workhorse.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.Invariants;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.TcpProxy;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that nothing is lost and nothing counts twice whatever breaks: nodes, connections
 * and the database. Short by default; {@code -Dworkhorse.chaos.duration=10m} makes it
 * long, and {@code -Dworkhorse.chaos.seed=…} repeats the order of the faults.
 */
class ChaosIntegrationTests {

	private static final Duration DURATION = Duration
		.parse("PT" + System.getProperty("workhorse.chaos.duration", "12s"));

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	/** What is paused while it logs in must not keep the server from stopping. */
	private static final Map<String, String> CONFIG = Map.of("fsync", "off", "authentication_timeout", "5s");

	private final long seed = Long.getLong("workhorse.chaos.seed", System.nanoTime());

	@Test
	void nothingIsLostAndNothingCountsTwice() throws Exception {
		System.out.printf("Chaos for %s with seed %d%n", DURATION, this.seed);
		try (OwnPostgresServer own = PostgresServer.startOwn(CONFIG);
				TestDatabase database = TestDatabase.createOn(own.server(), "chaos", (dataSource) -> {
					Workhorse.builder(dataSource).build().prepareSchema();
					Effects.createTables(dataSource);
				});
				TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
				HikariDataSource pool = database.newDataSource((config) -> {
					config.setJdbcUrl(proxy.jdbcUrl(database.jdbcUrl()));
					config.setConnectionTimeout(2_000);
				})) {
			Faults faults = new Faults(new Random(this.seed), own, proxy, database.jdbcUrl(), 3);
			try {
				faults.nodes().forEach((node) -> node.awaitLine("working", PATIENCE));
				Producers producers = new Producers(pool, Duration.ofMillis(20));
				producers.start(6, this.seed);
				faults.inject(DURATION);
				producers.stop();
				JdbcTemplate direct = new JdbcTemplate(database.dataSource());
				Await.value("end of all jobs", PATIENCE, () -> direct.queryForObject(
						"select array_agg(job_run::text) from (select * from workhorse.job_run limit 5) as job_run",
						String.class), (left) -> left == null);
				faults.close();
				report(direct, faults, producers);
				check(database, producers);
				checkThatItWasChaos(direct, faults);
			}
			finally {
				faults.close();
			}
		}
	}

	private static void report(JdbcTemplate jdbc, Faults faults, Producers producers) {
		System.out.println("Injected: " + faults);
		System.out.println("Produced: " + producers);
		System.out.println("Stored: " + jdbc.queryForMap("""
				select
				  (select count(*) from workhorse.job) as jobs,
				  (select count(*) from effect) as runs,
				  (select count(*) from effect where not exists (
				    select from workhorse.job_outcome where result #>> '{}' = run::text)) as runs_that_do_not_count,
				  (select max(attempt) from workhorse.job_outcome) as most_attempts,
				  (select count(*) from workhorse.job_event where kind = 'attempt-failed') as failures,
				  (select count(*) from workhorse.job_event where kind = 'lease-expired') as expired_leases
				"""));
	}

	/**
	 * A run in which nothing was taken over would prove nothing.
	 */
	private static void checkThatItWasChaos(JdbcTemplate jdbc, Faults faults) {
		Map<String, Object> counts = jdbc.queryForMap("""
				select
				  (select count(*) from workhorse.job) as jobs,
				  (select count(*) from effect) as runs,
				  (select count(*) from workhorse.job_event where kind = 'lease-expired') as takeovers
				""");
		assertThat(faults.counts()).as("kinds of faults").containsOnlyKeys(Faults.Kind.values());
		assertThat((Long) counts.get("takeovers")).as("jobs taken over: %s", counts)
			.isGreaterThanOrEqualTo((faults.counts().get(Faults.Kind.KILL) + 1) / 2);
		assertThat((Long) counts.get("runs")).as("runs: %s", counts).isGreaterThan((Long) counts.get("jobs"));
	}

	private static void check(TestDatabase database, Producers producers) {
		Map<String, Object> states = new JdbcTemplate(database.dataSource())
			.query("select state, count(*) from workhorse.job_outcome group by state", (rows) -> {
				Map<String, Object> counts = new TreeMap<>();
				while (rows.next()) {
					counts.put(rows.getString(1), rows.getLong(2));
				}
				return counts;
			});
		assertThat(states).containsOnlyKeys("succeeded");
		assertThat(producers.accepted()).as("accepted jobs").isPositive();
		Invariants.check(database.dataSource());
		producers.check(database.dataSource());
		new Effects(database.dataSource()).checkFences();
	}

}
