package dev.workhorse.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import org.springframework.dao.DataAccessException;
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

	private Session(Connection connection, JdbcTemplate jdbc, boolean joined) {
		this.connection = connection;
		this.jdbc = jdbc;
		this.joined = joined;
	}

	/**
	 * On the connection of the caller's transaction.
	 * @param connection the bound connection
	 * @param jdbc a template that finds it
	 */
	static Session joined(Connection connection, JdbcTemplate jdbc) {
		return new Session(connection, jdbc, true);
	}

	/**
	 * On a connection of our own, which stays open until its owner closes it.
	 */
	static Session own(Connection connection) {
		return new Session(connection, new JdbcTemplate(new SingleConnectionDataSource(connection, false)), false);
	}

	/**
	 * The template on this connection.
	 * @return the template
	 */
	public JdbcTemplate jdbc() {
		return this.jdbc;
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

	/**
	 * Do something whole or not at all: when it fails, nothing of it remains, and what
	 * came before in the caller's transaction stays.
	 * @param <T> the type of the answer
	 * @param savepoint the name of the savepoint behind which it is done
	 * @param work what to do
	 * @return its answer
	 */
	public <T> T allOrNothing(String savepoint, Supplier<T> work) {
		begin();
		this.jdbc.execute("savepoint " + savepoint);
		try {
			T answer = work.get();
			this.jdbc.execute("release savepoint " + savepoint);
			return answer;
		}
		catch (RuntimeException ex) {
			try {
				rollbackTo(savepoint);
			}
			catch (DataAccessException rollback) {
				ex.addSuppressed(rollback);
			}
			throw ex;
		}
	}

	/**
	 * Take back what was done since a savepoint, with the locks that it took.
	 * @param savepoint the name of the savepoint
	 */
	public void rollbackTo(String savepoint) {
		this.jdbc.execute("rollback to savepoint " + savepoint);
	}

	RuntimeException translate(String task, SQLException ex) {
		RuntimeException translated = this.jdbc.getExceptionTranslator().translate(task, null, ex);
		return (translated != null) ? translated : new IllegalStateException(task, ex);
	}

}
