package dev.workhorse.internal.worker;

import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.SqlArrayValue;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The statements that store how attempts ended. A batch that concerns no suspended job is
 * one statement.
 */
final class PostgresSettlements {

	private static final SqlStatement SETTLE_ATTEMPTS = SqlStatement.load(PostgresSettlements.class,
			"settle-attempts.sql");

	private static final SqlStatement SUSPEND_ATTEMPTS = SqlStatement.load(PostgresSettlements.class,
			"suspend-attempts.sql");

	private static final SqlStatement NOTE_PARENTS = SqlStatement.load(PostgresSettlements.class, "note-parents.sql");

	private static final SqlStatement LOCK_ATTEMPT = SqlStatement.load(PostgresSettlements.class, "lock-attempt.sql");

	private static final SqlStatement FIND_STORED_ENDS = SqlStatement.load(PostgresSettlements.class,
			"find-stored-ends.sql");

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final SqlStatement settleAttempts;

	private final SqlStatement suspendAttempts;

	private final SqlStatement noteParents;

	private final SqlStatement lockAttempt;

	private final SqlStatement findStoredEnds;

	PostgresSettlements(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(
				new JdbcTransactionManager(Objects.requireNonNull(jdbc.getDataSource())));
		this.suspendAttempts = SUSPEND_ATTEMPTS.inSchema(schema);
		this.noteParents = NOTE_PARENTS.inSchema(schema);
		this.settleAttempts = SETTLE_ATTEMPTS.inSchema(schema);
		this.lockAttempt = LOCK_ATTEMPT.inSchema(schema);
		this.findStoredEnds = FIND_STORED_ENDS.inSchema(schema);
	}

	/**
	 * Store a batch and tell which of its attempts were written, and how they ended.
	 */
	Map<Lease, String> settle(List<Settlement> batch) {
		boolean ordinary = batch.stream().noneMatch((end) -> end.isSuspended() || end.parent() != null);
		return (ordinary) ? end(batch)
				: Objects.requireNonNull(this.transaction.execute((status) -> settleSteps(batch)));
	}

	/**
	 * Store a batch that concerns suspended jobs, within the current transaction.
	 */
	private Map<Lease, String> settleSteps(List<Settlement> batch) {
		Map<Lease, String> settled = suspend(batch.stream().filter(Settlement::isSuspended).toList());
		// also those that were not suspended because somebody asked for their end
		List<Settlement> left = new ArrayList<>(batch);
		left.removeIf((end) -> settled.containsKey(end.attempt().lease()));
		if (!left.isEmpty()) {
			settled.putAll(end(left));
		}
		List<UUID> parents = batch.stream().map(Settlement::parent).filter(Objects::nonNull).toList();
		if (!parents.isEmpty()) {
			this.jdbc.update(this.noteParents.text(),
					this.noteParents.bind(new MapSqlParameterSource("parent_ids", SqlArrays.uuid(parents))));
		}
		return settled;
	}

	private Map<Lease, String> suspend(List<Settlement> suspended) {
		if (suspended.isEmpty()) {
			return new HashMap<>();
		}
		return endings(this.suspendAttempts, values(suspended).addValue("waits",
				SqlArrays.text(suspended.stream().map(Settlement::waitsFor).toList()), Types.ARRAY));
	}

	private Map<Lease, String> end(List<Settlement> batch) {
		return endings(this.settleAttempts,
				values(batch).addValue("retentions_ms", millis(batch, Settlement::retention), Types.ARRAY)
					.addValue("cancelled_retentions_ms", millis(batch, Settlement::retentionIfCancelled), Types.ARRAY));
	}

	/**
	 * Tell which attempts were written by a statement whose answer was lost, and how they
	 * ended.
	 */
	Map<Lease, String> findStored(List<Settlement> unsettled) {
		return endings(this.findStoredEnds,
				values(unsettled).addValue("claimed_attempts",
						SqlArrays.bigint(unsettled.stream().map((end) -> (long) end.attempt().attempt()).toList()),
						Types.ARRAY));
	}

	private static MapSqlParameterSource values(List<Settlement> batch) {
		return new MapSqlParameterSource()
			.addValue("job_ids", SqlArrays.uuid(batch.stream().map((end) -> end.attempt().jobId()).toList()),
					Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(batch.stream().map((end) -> end.attempt().fence()).toList()),
					Types.ARRAY)
			.addValue("attempts", SqlArrays.bigint(batch.stream().map((end) -> (long) end.countedAttempts()).toList()),
					Types.ARRAY)
			.addValue("ends", SqlArrays.text(batch.stream().map((end) -> end.end().label()).toList()), Types.ARRAY)
			.addValue("results", SqlArrays.text(batch.stream().map(Settlement::result).toList()), Types.ARRAY)
			.addValue("errors", SqlArrays.text(batch.stream().map(Settlement::error).toList()), Types.ARRAY)
			.addValue("delays_ms", millis(batch, Settlement::delay), Types.ARRAY);
	}

	private static SqlArrayValue millis(List<Settlement> batch, Function<Settlement, @Nullable Duration> duration) {
		List<@Nullable Long> values = new ArrayList<>(batch.size());
		for (Settlement settlement : batch) {
			Duration value = duration.apply(settlement);
			values.add((value != null) ? value.toMillis() : null);
		}
		return SqlArrays.bigint(values);
	}

	private Map<Lease, String> endings(SqlStatement statement, MapSqlParameterSource values) {
		Map<Lease, String> settled = new HashMap<>();
		RowCallbackHandler collect = (row) -> settled.put(Lease.of(row, 0), row.getString("ending"));
		this.jdbc.query(statement.text(), statement.bind(values), collect);
		return settled;
	}

	/**
	 * Store one end within the current transaction, and wait for whoever has locked its
	 * row.
	 * @return whether it was written; otherwise the attempt has lost its lease
	 */
	boolean settleWithin(Settlement settlement) {
		Attempt attempt = settlement.attempt();
		MapSqlParameterSource values = new MapSqlParameterSource("job_id", attempt.jobId()).addValue("fence",
				attempt.fence());
		boolean held = !this.jdbc.query(this.lockAttempt.text(), this.lockAttempt.bind(values), Lease::of).isEmpty();
		return held && settleSteps(List.of(settlement)).containsKey(attempt.lease());
	}

}
