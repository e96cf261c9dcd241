package dev.workhorse.internal.worker;

import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statement that stores how attempts ended.
 */
final class PostgresSettlements {

	private static final SqlStatement SETTLE_ATTEMPTS = SqlStatement.load(PostgresSettlements.class,
			"settle-attempts.sql");

	private final JdbcTemplate jdbc;

	private final SqlStatement settleAttempts;

	PostgresSettlements(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.settleAttempts = SETTLE_ATTEMPTS.inSchema(schema);
	}

	/**
	 * Store a batch and tell which of its attempts were written, and how they ended.
	 */
	Map<Lease, String> settle(List<Settlement> batch) {
		MapSqlParameterSource values = new MapSqlParameterSource()
			.addValue("job_ids", SqlArrays.uuid(batch.stream().map((end) -> end.attempt().jobId()).toList()),
					Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(batch.stream().map((end) -> end.attempt().fence()).toList()),
					Types.ARRAY)
			.addValue("attempts", SqlArrays.bigint(batch.stream().map((end) -> (long) end.countedAttempts()).toList()),
					Types.ARRAY)
			.addValue("ends", SqlArrays.text(batch.stream().map((end) -> end.end().label()).toList()), Types.ARRAY)
			.addValue("results", SqlArrays.text(batch.stream().map(Settlement::result).toList()), Types.ARRAY)
			.addValue("errors", SqlArrays.text(batch.stream().map(Settlement::error).toList()), Types.ARRAY)
			.addValue("delays_ms", SqlArrays.bigint(batch.stream().map((end) -> end.delay().toMillis()).toList()),
					Types.ARRAY);
		Map<Lease, String> settled = new HashMap<>();
		RowCallbackHandler collect = (row) -> settled.put(Lease.of(row, 0), row.getString("ending"));
		this.jdbc.query(this.settleAttempts.text(), this.settleAttempts.bind(values), collect);
		return settled;
	}

}
