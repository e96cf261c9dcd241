package dev.workhorse.internal.worker;

import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.SqlArrayValue;

class ScratchIntegrationTests {

	@Test
	void measure() throws Exception {
		try (CoreDatabase database = CoreDatabase.create(); var connection = database.database().newConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			jdbc.execute("set enable_seqscan = off; set jit = off; set plan_cache_mode = force_custom_plan");
			SqlStatement old = SqlStatement.load(PostgresLeases.class, "settle-old.sql");
			SqlStatement now = SqlStatement.load(PostgresLeases.class, "settle-attempts.sql");
			for (int size : new int[] { 1, 10, 100, 500 }) {
				long[][] times = new long[2][];
				times[0] = new long[60];
				times[1] = new long[60];
				for (int i = 0; i < 60; i++) {
					times[0][i] = once(jdbc, old, size);
					times[1][i] = once(jdbc, now, size);
				}
				java.util.Arrays.sort(times[0]);
				java.util.Arrays.sort(times[1]);
				System.out.printf("SCRATCH size %d: old median %d us, new median %d us; min %d, %d%n", size,
						times[0][30] / 1000, times[1][30] / 1000, times[0][0] / 1000, times[1][0] / 1000);
			}
		}
	}

	private static long once(JdbcTemplate jdbc, SqlStatement sql, int size) {
		List<UUID> ids = jdbc.queryForList(
				"""
						with j as (
						  insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
						  select gen_random_uuid(), 'q', 't', '1', 0, 25, 'polynomial', workhorse.clock()
						  from generate_series(1, %d) returning id
						)
						insert into workhorse.job_run (job_id, queue, type, state, priority, run_at, attempt, fence, worker, started_at, lease_until)
						select id, 'q', 't', 'running', 0, workhorse.clock(), 1, 1, gen_random_uuid(), workhorse.clock(), workhorse.clock() + interval '1 minute'
						from j returning job_id"""
					.formatted(size),
				UUID.class);
		List<Long> ones = Collections.nCopies(size, 1L);
		List<Long> nulls = new ArrayList<>(Collections.nCopies(size, (Long) null));
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("job_ids", SqlArrays.uuid(ids), Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(ones), Types.ARRAY)
			.addValue("attempts", SqlArrays.bigint(ones), Types.ARRAY)
			.addValue("ends", SqlArrays.text(Collections.nCopies(size, "succeeded")), Types.ARRAY)
			.addValue("results", SqlArrays.text(Collections.nCopies(size, "{\"a\": 1}")), Types.ARRAY)
			.addValue("errors", SqlArrays.text(Collections.nCopies(size, (String) null)), Types.ARRAY)
			.addValue("waits", SqlArrays.text(Collections.nCopies(size, (String) null)), Types.ARRAY)
			.addValue("parent_ids", new SqlArrayValue("uuid", new Object[size]), Types.ARRAY)
			.addValue("delays_ms", SqlArrays.bigint(Collections.nCopies(size, 0L)), Types.ARRAY)
			.addValue("retentions_ms", SqlArrays.bigint(nulls), Types.ARRAY)
			.addValue("cancelled_retentions_ms", SqlArrays.bigint(nulls), Types.ARRAY);
		long start = System.nanoTime();
		jdbc.query(sql.text(), sql.bind(values), (row) -> {
		});
		return System.nanoTime() - start;
	}

}
