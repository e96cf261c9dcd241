package dev.workhorse.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.workhorse.ReadOnlyTransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs a request in the caller's transaction on the job store's {@code DataSource}, or,
 * where there is none, in a short one of its own, whatever the pool's auto-commit
 * setting. Spring transactions of any kind (JDBC, JPA, jOOQ) are seen as long as they
 * expose their connection for that {@code DataSource}.
 */
public final class CallerTransaction {

	private static final Logger logger = LoggerFactory.getLogger(CallerTransaction.class);

	private static final String PLAIN_POOL = "com.zaxxer.hikari.HikariDataSource";

	private final DataSource dataSource;

	private final BegunTransaction begun;

	private final JdbcTemplate jdbc;

	private final AfterCommit afterCommit = new AfterCommit();

	public CallerTransaction(DataSource dataSource) {
		this.dataSource = unwrap(dataSource);
		this.begun = new BegunTransaction(this.dataSource);
		this.jdbc = new JdbcTemplate(this.dataSource);
	}

	private static DataSource unwrap(DataSource dataSource) {
		if (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			return proxy.getTargetDataSource();
		}
		return dataSource;
	}

	/**
	 * Whether the caller has a transaction that a request would join. A connection that
	 * was only used beside the transaction of another {@code DataSource} is bound, too,
	 * but nobody ends its transaction: it commits by itself, or never.
	 * @return whether there is one
	 */
	public boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder
				&& (!isBoundOnUse(holder) || this.begun.isSeen());
	}

	// JPA binds the connection of its transaction without this mark; JDBC sets it, too
	private static boolean isBoundOnUse(ConnectionHolder holder) {
		return holder.isSynchronizedWithTransaction();
	}

	/**
	 * Whether a request may be run on a connection that another thread has asked for.
	 * True of a plain pool alone: any other {@code DataSource} may choose a database, a
	 * user or settings by the thread.
	 * @return whether any thread gets the same connections
	 */
	public boolean isShareable() {
		return this.dataSource.getClass().getName().equals(PLAIN_POOL);
	}

	/**
	 * Whether the caller's transaction may not write.
	 * @return whether it is read-only
	 */
	private boolean isReadOnly() {
		return isActive() && TransactionSynchronizationManager.isCurrentTransactionReadOnly();
	}

	/**
	 * Refuse a request that would write inside a read-only transaction, before any SQL.
	 * @param operation what is attempted, for the message
	 */
	public void requireWritable(String operation) {
		if (isReadOnly()) {
			throw new ReadOnlyTransactionException(operation);
		}
	}

	/**
	 * Run a request that writes.
	 * @param <T> the type of the answer
	 * @param operation what is attempted, for the message
	 * @param request what to run
	 * @return the answer
	 */
	public <T> T write(String operation, Function<Session, T> request) {
		requireWritable(operation);
		return execute(request);
	}

	/**
	 * Run a request.
	 * @param <T> the type of the answer
	 * @param request what to run
	 * @return the answer
	 */
	public <T> T execute(Function<Session, T> request) {
		return (isActive()) ? join(request) : own(request);
	}

	/**
	 * Run an action once what was requested is committed: after the commit of the
	 * caller's transaction, or at once if there is none.
	 * @param action what to run
	 */
	public void afterCommit(Runnable action) {
		if (isActive()) {
			this.afterCommit.run(action);
		}
		else {
			action.run();
		}
	}

	private <T> T join(Function<Session, T> request) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			return request.apply(Session.joined(connection, this.jdbc));
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	// Not through DataSourceUtils: a transaction on another DataSource would keep the
	// connection, and with auto-commit off nobody would ever commit it.
	private <T> T own(Function<Session, T> request) {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			Session session = Session.own(connection);
			try {
				T answer = request.apply(session);
				if (!connection.getAutoCommit()) {
					connection.commit();
				}
				return answer;
			}
			catch (RuntimeException | Error ex) {
				rollback(connection, ex);
				throw ex;
			}
			catch (SQLException ex) {
				throw session.translate("commit", ex);
			}
			finally {
				restore(connection, autoCommit);
			}
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("Failed to obtain JDBC Connection", ex);
		}
	}

	private static void rollback(Connection connection, Throwable cause) {
		try {
			if (!connection.getAutoCommit()) {
				connection.rollback();
			}
		}
		catch (SQLException ex) {
			cause.addSuppressed(ex);
		}
	}

	private static void restore(Connection connection, boolean autoCommit) {
		try {
			if (autoCommit && !connection.getAutoCommit()) {
				connection.setAutoCommit(true);
			}
		}
		catch (SQLException ex) {
			// the connection is broken, which whoever used it has been told
			logger.debug("Could not switch auto-commit on again", ex);
		}
	}

	/**
	 * Tells whether a JDBC transaction manager has begun a transaction on the bound
	 * connection, as such a manager would before taking part in it. Begins none itself.
	 */
	private static final class BegunTransaction extends DataSourceTransactionManager {

		BegunTransaction(DataSource dataSource) {
			super(dataSource);
		}

		boolean isSeen() {
			return isExistingTransaction(doGetTransaction());
		}

	}

}
