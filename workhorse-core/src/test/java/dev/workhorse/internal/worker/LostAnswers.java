package dev.workhorse.internal.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that loses the answers to statements which were carried out.
 */
final class LostAnswers extends DelegatingDataSource {

	private final String part;

	private final AtomicInteger left = new AtomicInteger();

	/**
	 * Create it.
	 * @param target where statements go
	 * @param part what the statements contain whose answers are lost
	 */
	LostAnswers(DataSource target, String part) {
		super(target);
		this.part = part;
	}

	/**
	 * Lose the answers to the next such statements.
	 */
	void lose(int answers) {
		this.left.set(answers);
	}

	int left() {
		return this.left.get();
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return wrap(Connection.class, connection, (method, arguments, result) -> {
			boolean affected = method.equals("prepareStatement") && ((String) arguments[0]).contains(this.part);
			return (affected) ? wrap(PreparedStatement.class, (PreparedStatement) result, this::lose) : result;
		});
	}

	private Object lose(String method, Object[] arguments, Object result) throws SQLException {
		if (method.equals("executeQuery") && this.left.getAndUpdate((count) -> Math.max(0, count - 1)) > 0) {
			((ResultSet) result).close();
			throw new SQLException("answer lost", "08006");
		}
		return result;
	}

	private static <T> T wrap(Class<T> type, T target, Answer answer) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				try {
					return answer.to(method.getName(), arguments, method.invoke(target, arguments));
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	/**
	 * What becomes of an answer.
	 */
	private interface Answer {

		Object to(String method, Object[] arguments, Object result) throws SQLException;

	}

}
