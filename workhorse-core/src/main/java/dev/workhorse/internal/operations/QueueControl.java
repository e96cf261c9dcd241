package dev.workhorse.internal.operations;

import java.sql.Types;
import java.util.List;

import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.operations.PausedQueue;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Pausing queues and resuming them.
 */
final class QueueControl {

	private static final SqlStatement PAUSE_QUEUE = SqlStatement.load(QueueControl.class, "pause-queue.sql");

	private static final SqlStatement RESUME_QUEUE = SqlStatement.load(QueueControl.class, "resume-queue.sql");

	private static final SqlStatement LIST_PAUSED_QUEUES = SqlStatement.load(QueueControl.class,
			"list-paused-queues.sql");

	private final CallerTransaction transaction;

	private final String schema;

	private final WakeUps wakeUps;

	QueueControl(CallerTransaction transaction, String schema, WakeUps wakeUps) {
		this.transaction = transaction;
		this.schema = schema;
		this.wakeUps = wakeUps;
	}

	boolean pause(String queue, Audit audit) {
		SqlStatement statement = PAUSE_QUEUE.inSchema(this.schema);
		MapSqlParameterSource values = queue(queue).addValue("by", audit.by(), Types.VARCHAR)
			.addValue("reason", audit.reason(), Types.VARCHAR);
		return this.transaction.write("pause a queue",
				(session) -> session.jdbc().update(statement.text(), statement.bind(values)) == 1);
	}

	boolean resume(String queue) {
		SqlStatement statement = RESUME_QUEUE.inSchema(this.schema);
		boolean resumed = this.transaction.write("resume a queue",
				(session) -> session.jdbc().update(statement.text(), statement.bind(queue(queue))) == 1);
		if (resumed) {
			this.transaction.afterCommit(() -> this.wakeUps.accepted(queue, 0));
		}
		return resumed;
	}

	List<PausedQueue> paused() {
		SqlStatement statement = LIST_PAUSED_QUEUES.inSchema(this.schema);
		return this.transaction.execute((session) -> session.jdbc()
			.query(statement.text(), (row, index) -> new PausedQueue(row.getString("queue"),
					SqlValues.instant(row, "paused_at"), row.getString("paused_by"), row.getString("reason"))));
	}

	private static MapSqlParameterSource queue(String queue) {
		return new MapSqlParameterSource().addValue("queue", queue, Types.VARCHAR);
	}

}
