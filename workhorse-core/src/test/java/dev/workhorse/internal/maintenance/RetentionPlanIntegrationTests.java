package dev.workhorse.internal.maintenance;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.workhorse.CoreDatabase;
import dev.workhorse.internal.sql.SqlStatement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What looking for finished jobs to remove reads, with 30,000 that are to stay: those
 * whose handler keeps them for longer than others must not be looked at each time.
 */
class RetentionPlanIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final String WORKER_SESSION = "set enable_seqscan = off; set jit = off";

	private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

	@BeforeAll
	static void seed() {
		database.jdbc().execute("""
				insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
				select gen_random_uuid(), 'default', 'type', '1', 0, 25, 'polynomial', workhorse.clock()
				from generate_series(1, 30000)
				""");
		database.jdbc().execute("""
				insert into workhorse.job_outcome (job_id, state, attempt, finished_at, keep_until)
				select job.id, 'succeeded', 1, workhorse.clock() - interval '7 days' * random(),
				  workhorse.clock() + interval '30 days' * random()
				from workhorse.job
				""");
		database.jdbc()
			.execute("update workhorse.job_outcome set finished_at = workhorse.clock(), keep_until = null"
					+ " where job_id in (select id from workhorse.job limit 10000)");
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "set plan_cache_mode = force_custom_plan", "vacuum analyze workhorse.job_outcome",
			"set plan_cache_mode = force_generic_plan" })
	void readsOnlyWhatIsOver(String before) throws SQLException {
		try (Connection connection = database.database().newConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(WORKER_SESSION);
			statement.execute(before);
			assertThat(buffers(connection)).isLessThan(60);
		}
	}

	private static int buffers(Connection connection) {
		SqlStatement sql = SqlStatement.load(Maintenance.class, "remove-finished-jobs.sql");
		MapSqlParameterSource values = new MapSqlParameterSource("most", 1_000).addValue("state", "succeeded")
			.addValue("retention_ms", 86_400_000L);
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		String plan = String.join("\n", jdbc.query("explain (analyze, buffers, costs off, timing off) " + sql.text(),
				sql.bind(values), (row, number) -> row.getString(1)));
		Matcher buffers = BUFFERS.matcher(plan);
		assertThat(buffers.find()).as(plan).isTrue();
		String read = buffers.group(2);
		return Integer.parseInt(buffers.group(1)) + ((read != null) ? Integer.parseInt(read) : 0);
	}

}
