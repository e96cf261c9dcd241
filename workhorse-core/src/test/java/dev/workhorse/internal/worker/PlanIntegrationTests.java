package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the plans of the worker's statements on a table of 100,000 live jobs.
 */
class PlanIntegrationTests {

	private static final String WORKER_SESSION = "set enable_seqscan = off; set jit = off;"
			+ " set plan_cache_mode = force_custom_plan";

	private static final String WAIT = "{\"kind\": \"sleep\", \"delayMs\": 1000, \"steps\": [{\"name\": \"nap\", \"seq\": 1}]}";

	private static final CoreDatabase database = CoreDatabase.create();

	private static final List<Lease> RUNNING = new ArrayList<>();

	@BeforeAll
	static void seed() {
		JdbcTemplate jdbc = database.jdbc();
		jdbc.execute("alter table workhorse.job_run set (autovacuum_enabled = off)");
		jdbc.execute("alter table workhorse.job set (autovacuum_enabled = off)");
		jdbc.execute(
				"""
						insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
						select gen_random_uuid(), 'queue-' || i % 4, 'type-' || i % 10, '1', i % 3, 25, 'polynomial', workhorse.clock()
						from generate_series(1, 100000) as i
						""");
		jdbc.execute(
				"""
						insert into workhorse.job_run
						  (job_id, queue, type, state, priority, run_at, attempt, fence, worker, started_at, lease_until)
						select id, queue, type, state, priority,
						  workhorse.clock() + interval '1 day' * case when state = 'scheduled' then random() else -random() end,
						  1, 1,
						  case when state = 'running' then gen_random_uuid() end,
						  case when state = 'running' then workhorse.clock() end,
						  case when state = 'running' then workhorse.clock() + interval '1 minute' end
						from (
						  select *, case when n % 100 = 0 then 'running' when n % 3 = 0 then 'scheduled' else 'ready' end as state
						  from (select *, row_number() over () as n from workhorse.job) as numbered
						) as job
						""");
		RUNNING.addAll(
				jdbc.query("select job_id, fence from workhorse.job_run where state = 'running' limit 200", Lease::of));
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@CsvSource({ "claim-jobs.sql, job_run_ready_idx", "settle-attempts.sql, job_run_pk",
			"suspend-attempts.sql, job_run_pk", "renew-leases.sql, job_run_pk", "find-live-fences.sql, job_run_pk",
			"promote-jobs.sql, job_run_scheduled_idx", "find-expired-leases.sql, job_run_running_idx",
			"recover-leases.sql, job_run_pk" })
	void usesItsIndex(String file, String index) throws SQLException {
		try (Connection connection = database.database().newConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(WORKER_SESSION);
			assertThat(plan(connection, file)).as("not analysed, with the settings of the worker").contains(index);
			statement.execute("reset all; analyze workhorse.job_run; analyze workhorse.job");
			assertThat(plan(connection, file)).as("analysed").contains(index).doesNotContain("Seq Scan on job_run");
			statement.execute(WORKER_SESSION);
			assertThat(plan(connection, file)).as("analysed, with the settings of the worker").contains(index);
			statement.execute("reset all; set plan_cache_mode = force_generic_plan");
			assertThat(plan(connection, file)).as("analysed, generic plan").contains(index);
		}
	}

	private static String plan(Connection connection, String file) {
		SqlStatement sql = SqlStatement.load(PostgresLeases.class, file);
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("queue", "queue-1", Types.VARCHAR)
			.addValue("types", SqlArrays.text(List.of("type-1", "type-3", "type-5")), Types.ARRAY)
			.addValue("worker", UUID.randomUUID())
			.addValue("most", 100)
			.addValue("lease_ms", 30_000L)
			.addValue("job_ids", SqlArrays.uuid(RUNNING.stream().map(Lease::jobId).toList()), Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(RUNNING.stream().map(Lease::fence).toList()), Types.ARRAY)
			.addValue("attempts", SqlArrays.bigint(RUNNING.stream().map((lease) -> 1L).toList()), Types.ARRAY)
			.addValue("ends", SqlArrays.text(RUNNING.stream().map((lease) -> "succeeded").toList()), Types.ARRAY)
			.addValue("results", SqlArrays.text(RUNNING.stream().map((lease) -> "1").toList()), Types.ARRAY)
			.addValue("errors", SqlArrays.text(RUNNING.stream().map((lease) -> "{}").toList()), Types.ARRAY)
			.addValue("waits", SqlArrays.text(Collections.nCopies(RUNNING.size(), WAIT)), Types.ARRAY)
			.addValue("delays_ms", SqlArrays.bigint(RUNNING.stream().map((lease) -> 0L).toList()), Types.ARRAY)
			.addValue("retentions_ms", SqlArrays.bigint(RUNNING.stream().map((lease) -> 0L).toList()), Types.ARRAY)
			.addValue("cancelled_retentions_ms", SqlArrays.bigint(RUNNING.stream().map((lease) -> 0L).toList()),
					Types.ARRAY);
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		return String.join("\n",
				jdbc.query("explain " + sql.text(), sql.bind(values), (row, number) -> row.getString(1)));
	}

}
