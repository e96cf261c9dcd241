package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that can be cut off from its database.
 */
final class Outage extends DelegatingDataSource {

	private enum Link {

		UP, DOWN, HANGING

	}

	private volatile Link link = Link.UP;

	Outage(DataSource target) {
		super(target);
	}

	/**
	 * Refuse connections.
	 */
	void begin() {
		this.link = Link.DOWN;
	}

	/**
	 * Let requests for a connection wait, as a pool does.
	 */
	void beginHanging() {
		this.link = Link.HANGING;
	}

	void end() {
		this.link = Link.UP;
	}

	@Override
	public Connection getConnection() throws SQLException {
		while (this.link == Link.HANGING) {
			LockSupport.parkNanos(1_000_000);
			if (Thread.interrupted()) {
				throw new SQLException("interrupted", "08001");
			}
		}
		if (this.link == Link.DOWN) {
			throw new SQLException("cut off", "08001");
		}
		return super.getConnection();
	}

}
