package dev.workhorse.internal.durable;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Cancels the children of jobs that were cancelled or superseded, and the children of
 * those, within the current transaction. Never waits for a locked row: what cannot be
 * done now is noted and done by the next node that looks.
 */
public final class CancelChildren {

	private static final SqlStatement CANCEL_CHILDREN = SqlStatement.load(CancelChildren.class, "cancel-children.sql");

	private final SqlStatement cancelChildren;

	public CancelChildren(String schema) {
		this.cancelChildren = CANCEL_CHILDREN.inSchema(schema);
	}

	/**
	 * Cancel the children that are to be cancelled with their parents.
	 * @param jdbc takes part in the transaction that ended the parents
	 * @param parents the jobs that were cancelled or superseded
	 */
	public void of(JdbcTemplate jdbc, Collection<UUID> parents) {
		Collection<UUID> level = parents;
		// a running child ends its own children when it ends as cancelled
		while (!level.isEmpty()) {
			level = cancel(jdbc, level);
		}
	}

	private List<UUID> cancel(JdbcTemplate jdbc, Collection<UUID> parents) {
		MapSqlParameterSource values = new MapSqlParameterSource("ids", SqlArrays.uuid(parents));
		return jdbc.query(this.cancelChildren.text(), this.cancelChildren.bind(values),
				(row, index) -> row.getObject("job_id", UUID.class));
	}

}
