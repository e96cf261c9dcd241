package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.Types;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * How PostgreSQL carries out one of the worker's statements for a batch of attempts.
 */
final class BatchPlan {

	/** As the auto-configuration sets them on the worker's own connections. */
	static final String WORKER_SESSION = "set enable_seqscan = off; set enable_bitmapscan = off; set jit = off;"
			+ " set plan_cache_mode = force_generic_plan";

	private static final String WAIT = """
			{"kind": "sleep", "delayMs": 1000, "steps": [{"name": "nap", "seq": 1}]}""";

	private BatchPlan() {
	}

	static List<String> explain(Connection connection, String explain, String file, List<Lease> batch) {
		SqlStatement sql = SqlStatement.load(PostgresLeases.class, file);
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		return jdbc.query(explain + " " + sql.text(), sql.bind(values(batch)), (row, number) -> row.getString(1));
	}

	/**
	 * Prepare a statement by its name without suffix, and have it planned for tables as
	 * they are now. Needs a connection in simple query mode.
	 */
	static void prepare(Connection connection, String file) {
		SqlStatement sql = SqlStatement.load(PostgresLeases.class, file);
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		int parameter = 0;
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < sql.text().length(); i++) {
			char character = sql.text().charAt(i);
			text.append((character != '?') ? String.valueOf(character) : "$" + ++parameter);
		}
		jdbc.execute("prepare " + name(file) + " as " + text);
		explainPrepared(connection, file, List.of(new Lease(UUID.randomUUID(), 1)));
	}

	static List<String> explainPrepared(Connection connection, String file, List<Lease> batch) {
		SqlStatement sql = SqlStatement.load(PostgresLeases.class, file);
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		long parameters = sql.text().chars().filter((character) -> character == '?').count();
		String values = String.join(", ", Collections.nCopies((int) parameters, "?"));
		return jdbc.query("explain (analyze, format json) execute %s(%s)".formatted(name(file), values),
				sql.bind(values(batch)), (row, number) -> row.getString(1));
	}

	private static String name(String file) {
		return file.substring(0, file.indexOf('.')).replace('-', '_');
	}

	private static MapSqlParameterSource values(List<Lease> batch) {
		return new MapSqlParameterSource().addValue("queue", "queue-1", Types.VARCHAR)
			.addValue("types", SqlArrays.text(List.of("type-1", "type-3", "type-5")), Types.ARRAY)
			.addValue("worker", UUID.randomUUID())
			.addValue("most", 100)
			.addValue("look_at_leases", true)
			.addValue("after_rank", ClaimPlace.START.rank())
			.addValue("after_run_at", ClaimPlace.START.runAt(), Types.VARCHAR)
			.addValue("after_id", ClaimPlace.START.jobId())
			.addValue("lease_ms", 30_000L)
			.addValue("job_ids", SqlArrays.uuid(batch.stream().map(Lease::jobId).toList()), Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(batch.stream().map(Lease::fence).toList()), Types.ARRAY)
			.addValue("attempts", SqlArrays.bigint(Collections.nCopies(batch.size(), 1L)), Types.ARRAY)
			.addValue("ends", SqlArrays.text(Collections.nCopies(batch.size(), "succeeded")), Types.ARRAY)
			.addValue("results", SqlArrays.text(Collections.nCopies(batch.size(), "1")), Types.ARRAY)
			.addValue("errors", SqlArrays.text(Collections.nCopies(batch.size(), "{}")), Types.ARRAY)
			.addValue("waits", SqlArrays.text(Collections.nCopies(batch.size(), WAIT)), Types.ARRAY)
			.addValue("progress", SqlArrays.text(Collections.nCopies(batch.size(), "1")), Types.ARRAY)
			.addValue("delays_ms", SqlArrays.bigint(Collections.nCopies(batch.size(), 0L)), Types.ARRAY)
			.addValue("retentions_ms", SqlArrays.bigint(Collections.nCopies(batch.size(), 0L)), Types.ARRAY)
			.addValue("cancelled_retentions_ms", SqlArrays.bigint(Collections.nCopies(batch.size(), 0L)), Types.ARRAY);
	}

}
