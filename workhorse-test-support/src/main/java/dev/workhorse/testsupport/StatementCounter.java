package dev.workhorse.testsupport;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Counts what is executed through a {@link DataSource}: statements (a batch is one) and,
 * separately, explicit commits and rollbacks.
 */
public final class StatementCounter {

	private final DataSource dataSource;

	private final List<String> sql = new CopyOnWriteArrayList<>();

	private final AtomicInteger commits = new AtomicInteger();

	private final AtomicInteger rollbacks = new AtomicInteger();

	private StatementCounter(DataSource target) {
		this.dataSource = proxy(DataSource.class, (proxy, method, args) -> {
			Object result = call(target, proxy, method, args);
			return (result instanceof Connection connection) ? wrap(connection) : result;
		});
	}

	public static StatementCounter on(DataSource target) {
		return new StatementCounter(target);
	}

	/**
	 * Returns the data source to use instead of the original.
	 * @return the counting data source
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	public int statements() {
		return this.sql.size();
	}

	public int commits() {
		return this.commits.get();
	}

	public int rollbacks() {
		return this.rollbacks.get();
	}

	/**
	 * Returns the text of every executed statement, in order; the parts of a batch are
	 * joined by semicolons.
	 * @return a copy
	 */
	public List<String> sql() {
		return List.copyOf(this.sql);
	}

	public void reset() {
		this.sql.clear();
		this.commits.set(0);
		this.rollbacks.set(0);
	}

	private Connection wrap(Connection target) {
		return proxy(Connection.class, (proxy, method, args) -> {
			switch (method.getName()) {
				case "commit" -> this.commits.incrementAndGet();
				case "rollback" -> this.rollbacks.incrementAndGet();
				default -> {
				}
			}
			Object result = call(target, proxy, method, args);
			if (!method.getDeclaringClass().equals(Connection.class)) {
				return result;
			}
			if (result instanceof CallableStatement statement) {
				return proxy(CallableStatement.class, new Counting(statement, text(args)));
			}
			if (result instanceof PreparedStatement statement) {
				return proxy(PreparedStatement.class, new Counting(statement, text(args)));
			}
			if (result instanceof Statement statement) {
				return proxy(Statement.class, new Counting(statement, null));
			}
			return result;
		});
	}

	private static @Nullable String text(Object @Nullable [] args) {
		return (args != null && args.length > 0 && args[0] instanceof String text) ? text : null;
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(StatementCounter.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

	private static @Nullable Object call(Object target, Object proxy, Method method, Object @Nullable [] args)
			throws Throwable {
		if (method.getName().equals("equals") && args != null) {
			return proxy == args[0];
		}
		try {
			return method.invoke(target, args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * Records what one statement executes, before it does.
	 */
	private final class Counting implements InvocationHandler {

		private final Statement target;

		private final @Nullable String prepared;

		private final List<String> batch = new ArrayList<>();

		Counting(Statement target, @Nullable String prepared) {
			this.target = target;
			this.prepared = prepared;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
			String text = text(args);
			switch (method.getName()) {
				case "addBatch" -> {
					if (text != null) {
						this.batch.add(text);
					}
				}
				case "clearBatch" -> this.batch.clear();
				case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" -> record(text);
				case "executeBatch", "executeLargeBatch" -> {
					record((this.prepared != null) ? this.prepared : String.join("; ", this.batch));
					this.batch.clear();
				}
				default -> {
				}
			}
			return call(this.target, proxy, method, args);
		}

		private void record(@Nullable String text) {
			String executed = (text != null) ? text : this.prepared;
			StatementCounter.this.sql.add((executed != null) ? executed : "");
		}

	}

}
