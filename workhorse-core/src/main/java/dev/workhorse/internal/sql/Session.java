package dev.workhorse.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * One connection for the length of one request: the caller's, whose transaction is
 * joined, or one of our own, which commits after the request.
 */
public final class Session {

	private final Connection connection;

	private final JdbcTemplate jdbc;

	private final boolean joined;

	Session(Connection connection, boolean joined) {
		this.connection = connection;
		this.joined = joined;
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
	}

	/**
	 * The template on this connection.
	 * @return the template
	 */
	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/**
	 * Whether the connection belongs to the caller's transaction.
	 * @return whether it is joined
	 */
	public boolean isJoined() {
		return this.joined;
	}

	/**
	 * From here on, several statements belong together. A first statement that stands
	 * alone commits itself where auto-commit is on, which saves a round trip.
	 */
	public void begin() {
		try {
			if (!this.joined && this.connection.getAutoCommit()) {
				this.connection.setAutoCommit(false);
			}
		}
		catch (SQLException ex) {
			throw translate("begin", ex);
		}
	}

	RuntimeException translate(String task, SQLException ex) {
		RuntimeException translated = this.jdbc.getExceptionTranslator().translate(task, null, ex);
		return (translated != null) ? translated : new IllegalStateException(task, ex);
	}

}
