package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.workhorse.CoreDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many rows the worker's statements touch for a batch, while the statistics of the
 * table say that nothing is running: it was analysed before the jobs were claimed, as it
 * is when a full queue begins to be worked off.
 */
class BatchCostIntegrationTests {

	private static final int BATCH = 200;

	private static final int JOBS = 10_000;

	private static final List<String> STATEMENTS = List.of("settle-attempts.sql", "suspend-attempts.sql",
			"renew-leases.sql", "recover-leases.sql", "find-live-fences.sql", "store-progress.sql");

	private static final CoreDatabase database = CoreDatabase.create();

	/** Has planned its statements while the tables were empty, as every worker does. */
	private static final Connection planned = connect();

	private static Connection connect() {
		try {
			return DriverManager.getConnection(database.database().jdbcUrl() + "&preferQueryMode=simple");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@BeforeAll
	static void seed() throws SQLException {
		try (Statement statement = planned.createStatement()) {
			statement.execute(BatchPlan.WORKER_SESSION);
		}
		STATEMENTS.forEach((file) -> BatchPlan.prepare(planned, file));
		database.jdbc().execute("alter table workhorse.job_run set (autovacuum_enabled = off)");
		database.jdbc().execute("""
				with job as (
				  insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
				  select gen_random_uuid(), 'queue-1', 'type-1', '1', 0, 25, 'polynomial', workhorse.clock()
				  from generate_series(1, %d)
				  returning id
				)
				insert into workhorse.job_run (job_id, queue, type, state, priority, run_at)
				select id, 'queue-1', 'type-1', 'ready', 0, workhorse.clock()
				from job
				""".formatted(JOBS));
		database.jdbc().execute("analyze workhorse.job_run");
		database.jdbc().execute("analyze workhorse.job");
		database.jdbc().execute("""
				update workhorse.job_run
				set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(),
				    started_at = workhorse.clock() - interval '2 minutes',
				    lease_until = workhorse.clock() - interval '1 minute'
				where job_id in (select job_id from workhorse.job_run limit 5000)
				""");
	}

	@AfterAll
	static void closeDatabase() throws SQLException {
		planned.close();
		database.jdbc()
			.update("update workhorse.job_run set lease_until = workhorse.clock() + interval '1 hour'"
					+ " where state = 'running'");
		database.close();
	}

	@ParameterizedTest
	@FieldSource("STATEMENTS")
	void growsWithTheBatchAlone(String file) throws SQLException, JsonProcessingException {
		// dead entries of the index are touched, too
		assertThat(mostTouched(file, BatchPlan.WORKER_SESSION)).isBetween((long) BATCH, 3L * BATCH);
		// without these settings the table may be read once
		assertThat(mostTouched(file, "reset all")).isBetween((long) BATCH, (long) JOBS);
	}

	@ParameterizedTest
	@FieldSource("STATEMENTS")
	void growsWithTheBatchAloneWhenPlannedOnEmptyTables(String file) throws SQLException, JsonProcessingException {
		List<Lease> batch = batch();
		planned.setAutoCommit(false);
		List<String> plan = BatchPlan.explainPrepared(planned, file, batch);
		planned.rollback();
		planned.setAutoCommit(true);
		assertThat(mostTouched(plan)).isBetween((long) BATCH, 3L * BATCH);
	}

	private static List<Lease> batch() {
		return database.jdbc()
			.query("select job_id, fence from workhorse.job_run where state = 'running' limit " + BATCH, Lease::of);
	}

	private static long mostTouched(String file, String session) throws SQLException, JsonProcessingException {
		List<Lease> batch = batch();
		try (Connection connection = database.database().newConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(session);
			connection.setAutoCommit(false);
			List<String> plan = BatchPlan.explain(connection, "explain (analyze, format json)", file, batch);
			connection.rollback();
			return mostTouched(plan);
		}
	}

	private static long mostTouched(List<String> plan) throws JsonProcessingException {
		return mostTouched(new JsonMapper().readTree(String.join("\n", plan)));
	}

	private static long mostTouched(JsonNode node) {
		long touched = node.path("Actual Loops").asLong() * (node.path("Actual Rows").asLong()
				+ node.path("Rows Removed by Filter").asLong() + node.path("Rows Removed by Join Filter").asLong());
		for (JsonNode child : node) {
			touched = Math.max(touched, mostTouched(child));
		}
		return touched;
	}

}
