package dev.workhorse.internal.durable;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import dev.workhorse.internal.sql.SqlStatement;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Cancels the children of jobs that a batch has ended as cancelled.
 */
public final class FollowUps {

	private static final SqlStatement TAKE_FOLLOW_UPS = SqlStatement.load(FollowUps.class, "take-follow-ups.sql");

	private static final int MOST = 100;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final SqlStatement takeFollowUps;

	private final CancelChildren cancelChildren;

	public FollowUps(DataSource dataSource, String schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.takeFollowUps = TAKE_FOLLOW_UPS.inSchema(schema);
		this.cancelChildren = new CancelChildren(schema);
	}

	/**
	 * Cancel children whose parents were noted.
	 */
	public void cancelChildren() {
		this.transaction.executeWithoutResult((status) -> {
			List<UUID> parents = this.jdbc.query(this.takeFollowUps.text(),
					this.takeFollowUps.bind(new MapSqlParameterSource("most", MOST)),
					(row, index) -> row.getObject("job_id", UUID.class));
			this.cancelChildren.of(this.jdbc, parents);
		});
	}

}
