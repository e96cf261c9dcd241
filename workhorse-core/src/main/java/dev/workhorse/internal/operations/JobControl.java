package dev.workhorse.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import dev.workhorse.internal.durable.CancelChildren;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.operations.CancelOutcome;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * What people do to jobs.
 */
final class JobControl {

	private static final SqlStatement CANCEL_JOB = SqlStatement.load(JobControl.class, "cancel-job.sql");

	private static final SqlStatement RUN_JOB_NOW = SqlStatement.load(JobControl.class, "run-job-now.sql");

	private static final SqlStatement PURGE_QUEUE = SqlStatement.load(JobControl.class, "purge-queue.sql");

	private static final int BATCH = 1_000;

	private final CallerTransaction transaction;

	private final String schema;

	private final WakeUps wakeUps;

	private final CancelChildren cancelChildren;

	private final Supplier<Map<String, Duration>> cancelledRetention;

	JobControl(CallerTransaction transaction, String schema, WakeUps wakeUps,
			Supplier<Map<String, Duration>> cancelledRetention) {
		this.transaction = transaction;
		this.schema = schema;
		this.wakeUps = wakeUps;
		this.cancelChildren = new CancelChildren(schema);
		this.cancelledRetention = cancelledRetention;
	}

	CancelOutcome cancel(UUID jobId, Audit audit, boolean interrupt) {
		SqlStatement statement = CANCEL_JOB.inSchema(this.schema);
		Map<String, Duration> retention = this.cancelledRetention.get();
		MapSqlParameterSource values = audit.details(interrupt)
			.addValue("id", jobId)
			.addValue("types", SqlArrays.text(retention.keySet()), Types.ARRAY)
			.addValue("retentions_ms", SqlArrays.bigint(retention.values().stream().map(Duration::toMillis).toList()),
					Types.ARRAY);
		CancelOutcome outcome = this.transaction.write("cancel a job", (session) -> {
			session.begin();
			CancelOutcome cancelled = DataAccessUtils.singleResult(
					session.jdbc().query(statement.text(), statement.bind(values), (row, index) -> outcome(row)));
			if (cancelled == CancelOutcome.CANCELLED) {
				this.cancelChildren.of(session.jdbc(), List.of(jobId));
			}
			return cancelled;
		});
		return (outcome != null) ? outcome : CancelOutcome.NOT_FOUND;
	}

	private static CancelOutcome outcome(ResultSet row) throws SQLException {
		if (row.getBoolean("cancelled")) {
			return CancelOutcome.CANCELLED;
		}
		return (row.getBoolean("unfinished")) ? CancelOutcome.REQUESTED : CancelOutcome.ALREADY_FINISHED;
	}

	boolean runNow(UUID jobId, Audit audit) {
		SqlStatement statement = RUN_JOB_NOW.inSchema(this.schema);
		MapSqlParameterSource values = audit.details().addValue("id", jobId);
		List<String> queues = this.transaction.write("run a job now", (session) -> session.jdbc()
			.query(statement.text(), statement.bind(values), (row, index) -> row.getString("queue")));
		queues.forEach((queue) -> this.transaction.afterCommit(() -> this.wakeUps.accepted(queue, 0)));
		return !queues.isEmpty();
	}

	long purge(String queue, Audit audit) {
		SqlStatement statement = PURGE_QUEUE.inSchema(this.schema);
		MapSqlParameterSource values = audit.details().addValue("queue", queue).addValue("most", BATCH);
		long all = 0;
		long removed = BATCH;
		while (removed == BATCH) {
			removed = this.transaction.write("purge a queue",
					(session) -> purgeBatch(session.jdbc(), statement, values));
			all += removed;
		}
		return all;
	}

	private static long purgeBatch(JdbcTemplate jdbc, SqlStatement statement, MapSqlParameterSource values) {
		return DataAccessUtils
			.requiredSingleResult(jdbc.query(statement.text(), statement.bind(values), (row, index) -> row.getLong(1)));
	}

}
