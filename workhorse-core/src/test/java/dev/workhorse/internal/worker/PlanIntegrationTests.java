package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import dev.workhorse.CoreDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the plans of the worker's statements on a table of 100,000 live jobs.
 */
class PlanIntegrationTests {

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
			"promote-jobs.sql, job_run_scheduled_idx", "promote-jobs.sql, job_run_running_idx",
			"find-expired-leases.sql, job_run_running_idx", "recover-leases.sql, job_run_pk" })
	void usesItsIndex(String file, String index) throws SQLException {
		try (Connection connection = database.database().newConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(BatchPlan.WORKER_SESSION);
			assertThat(plan(connection, file)).as("not analysed, with the settings of the worker").contains(index);
			statement.execute("reset all; analyze workhorse.job_run; analyze workhorse.job");
			assertThat(plan(connection, file)).as("analysed").contains(index).doesNotContain("Seq Scan on job_run");
			statement.execute(BatchPlan.WORKER_SESSION);
			assertThat(plan(connection, file)).as("analysed, with the settings of the worker").contains(index);
			statement.execute("reset all; set plan_cache_mode = force_generic_plan");
			assertThat(plan(connection, file)).as("analysed, generic plan").contains(index);
		}
	}

	private static String plan(Connection connection, String file) {
		return String.join("\n", BatchPlan.explain(connection, "explain", file, RUNNING));
	}

}
