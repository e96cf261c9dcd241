package dev.workhorse.autoconfigure;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Where the worker's own statements get their connections from: a small pool beside the
 * application's, so that neither can starve the other and a heartbeat is never late
 * because handlers hold every connection. It is kept in here, and is no bean, because
 * another {@code DataSource} bean would change what the rest of the application gets.
 */
final class WorkerConnections implements AutoCloseable {

	private static final boolean HIKARI = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			WorkerConnections.class.getClassLoader());

	private final DataSource shared;

	private final @Nullable HikariDataSource pool;

	private WorkerConnections(DataSource shared, @Nullable HikariDataSource pool) {
		this.shared = shared;
		this.pool = pool;
	}

	/**
	 * Derive the pool, where that is possible.
	 * @param application the application's own
	 * @param properties the size of the pool, and whether there are workers at all
	 * @return the connections
	 */
	static WorkerConnections of(DataSource application, WorkhorseProperties.Worker properties) {
		if (!HIKARI || properties.connections() == 0) {
			return new WorkerConnections(application, null);
		}
		return new WorkerConnections(application, WorkerPoolFactory.derive(application, properties));
	}

	DataSource dataSource() {
		return (this.pool != null) ? this.pool : this.shared;
	}

	@Override
	public void close() {
		if (this.pool != null) {
			this.pool.close();
		}
	}

}
