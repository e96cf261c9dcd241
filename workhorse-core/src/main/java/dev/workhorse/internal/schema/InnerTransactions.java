package dev.workhorse.internal.schema;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

import org.jspecify.annotations.Nullable;

/**
 * Lets code that commits and rolls back work inside a transaction that goes on: a commit
 * keeps what was done so far from a later rollback, and the surrounding transaction
 * decides about all of it.
 */
final class InnerTransactions implements InvocationHandler {

	private final Connection connection;

	private Savepoint kept;

	private InnerTransactions(Connection connection) throws SQLException {
		this.connection = connection;
		this.kept = connection.setSavepoint();
	}

	/**
	 * Wrap a connection.
	 * @param connection a connection in a transaction
	 * @return the same connection, with commits and rollbacks of its own
	 */
	static Connection on(Connection connection) throws SQLException {
		return (Connection) Proxy.newProxyInstance(InnerTransactions.class.getClassLoader(),
				new Class<?>[] { Connection.class }, new InnerTransactions(connection));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		boolean plain = arguments == null;
		if (plain && method.getName().equals("commit")) {
			this.connection.releaseSavepoint(this.kept);
			this.kept = this.connection.setSavepoint();
			return null;
		}
		if (plain && method.getName().equals("rollback")) {
			this.connection.rollback(this.kept);
			return null;
		}
		try {
			return method.invoke(this.connection, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
