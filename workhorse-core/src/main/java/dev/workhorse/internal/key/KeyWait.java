package dev.workhorse.internal.key;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

import dev.workhorse.EnqueueKeyBusyException;
import dev.workhorse.internal.sql.Session;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Bounds the wait for another transaction to decide about a key. The statement runs
 * behind a savepoint, so that giving up leaves the caller's transaction usable.
 */
public final class KeyWait {

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	private static final String SAVEPOINT = "workhorse_key_wait";

	private final @Nullable Duration limit;

	public KeyWait(@Nullable Duration limit) {
		this.limit = limit;
	}

	/**
	 * Run a statement that may wait for a key.
	 * @param <T> the type of the answer
	 * @param session the connection
	 * @param keys tells the keys as people may see them, for the message
	 * @param statement what to run
	 * @return the answer
	 */
	public <T> T bounded(Session session, Supplier<String> keys, Supplier<T> statement) {
		Duration limit = this.limit;
		if (limit == null) {
			return statement.get();
		}
		session.begin();
		JdbcTemplate jdbc = session.jdbc();
		jdbc.execute("savepoint " + SAVEPOINT);
		try {
			String before = Objects
				.requireNonNull(jdbc.queryForObject("select current_setting('lock_timeout')", String.class));
			setLockTimeout(jdbc, limit.toMillis() + "ms");
			T answer = statement.get();
			setLockTimeout(jdbc, before);
			jdbc.execute("release savepoint " + SAVEPOINT);
			return answer;
		}
		catch (DataAccessException ex) {
			if (ex.getRootCause() instanceof SQLException cause && LOCK_NOT_AVAILABLE.equals(cause.getSQLState())) {
				jdbc.execute("rollback to savepoint " + SAVEPOINT);
				throw new EnqueueKeyBusyException(keys.get(), limit);
			}
			throw ex;
		}
	}

	private static void setLockTimeout(JdbcTemplate jdbc, String value) {
		jdbc.queryForObject("select set_config('lock_timeout', ?, true)", String.class, value);
	}

}
