package dev.workhorse.internal.worker;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statement that makes the jobs of pending events.
 */
final class PostgresDispatch {

	private static final SqlStatement DISPATCH_EVENTS = SqlStatement.load(PostgresDispatch.class,
			"dispatch-events.sql");

	/** With the subscribers, a bound for the payloads that one statement copies. */
	private static final int MOST_EVENTS = 20;

	private static final int MOST_SUBSCRIBERS = 20;

	private final JdbcTemplate jdbc;

	private final SqlStatement dispatchEvents;

	PostgresDispatch(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.dispatchEvents = DISPATCH_EVENTS.inSchema(schema);
	}

	Dispatched dispatch() {
		MapSqlParameterSource values = new MapSqlParameterSource("most_events", MOST_EVENTS)
			.addValue("most_subscribers", MOST_SUBSCRIBERS);
		return DataAccessUtils.requiredSingleResult(this.jdbc.query(this.dispatchEvents.text(),
				this.dispatchEvents.bind(values), (row, index) -> dispatched(row)));
	}

	private static Dispatched dispatched(ResultSet row) throws SQLException {
		boolean more = row.getBoolean("unfinished") || row.getInt("events") == MOST_EVENTS;
		return new Dispatched(SqlValues.texts(row, "queues"), row.getInt("jobs"), row.getInt("events"), more,
				row.getBoolean("awaited"));
	}

	/**
	 * What was dispatched.
	 *
	 * @param queues the queues that have new jobs
	 * @param jobs how many jobs were made
	 * @param events how many events were looked at
	 * @param more whether there may be more to do at once
	 * @param awaited whether suspended jobs wait for one of the events
	 */
	record Dispatched(List<String> queues, int jobs, int events, boolean more, boolean awaited) {

	}

}
