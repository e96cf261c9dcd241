package dev.workhorse.autoconfigure;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Derives the worker's pool from the application's {@code DataSource}.
 */
final class WorkerPoolFactory {

	private static final Logger logger = LoggerFactory.getLogger(WorkerPoolFactory.class);

	private static final String POOL_NAME = "workhorse";

	private static final int FEWEST = 2;

	private static final int MOST = 100;

	/**
	 * Every statement of a worker has its index, and always looks at a small part of a
	 * table. A planner that has seen the tables empty, or guesses a {@code limit}, would
	 * rather read all of it, and compiling such statements costs more than running them.
	 * With that out of the way there is one plan for each, and to make it anew every time
	 * would take longer than a small batch.
	 */
	private static final String PLANNER_SETTINGS = "set enable_seqscan = off; set enable_bitmapscan = off; "
			+ "set jit = off; set plan_cache_mode = force_generic_plan";

	private WorkerPoolFactory() {
	}

	/**
	 * Derive the pool. It connects when it is first used.
	 * @param application the application's own
	 * @param properties the size of the pool, and whether there are workers at all
	 * @return the pool, or {@code null} if it cannot be told how to connect
	 */
	static @Nullable HikariDataSource derive(DataSource application, WorkhorseProperties.Worker properties) {
		int size = properties.connections();
		if (size < FEWEST || size > MOST) {
			throw PropertyBounds.violation("workhorse.worker.connections", size,
					"0 or %d to %d".formatted(FEWEST, MOST));
		}
		HikariConfig config = settings(application);
		if (config == null) {
			logger.info("Cannot derive connections of the worker's own from {}: it shares the application's",
					application.getClass().getName());
			return null;
		}
		own(config);
		// a node without workers only ever tells the others of new jobs
		config.setMaximumPoolSize((properties.enabled()) ? size : 1);
		config.setMinimumIdle((properties.enabled()) ? 1 : 0);
		// not with the configuration: that would connect here
		HikariDataSource pool = new HikariDataSource();
		config.copyStateTo(pool);
		return pool;
	}

	private static @Nullable HikariConfig settings(DataSource application) {
		if (application instanceof AbstractRoutingDataSource) {
			// where it leads differs from call to call
			return null;
		}
		HikariConfig config = new HikariConfig();
		HikariDataSource hikari = DataSourceUnwrapper.unwrap(application, HikariConfigMXBean.class,
				HikariDataSource.class);
		if (hikari != null) {
			hikari.copyStateTo(config);
			return config;
		}
		try {
			DataSourceBuilder.derivedFrom(application).type(HikariDataSource.class).build().copyStateTo(config);
			return (config.getJdbcUrl() != null) ? config : null;
		}
		catch (RuntimeException ex) {
			logger.debug("Not a DataSource to derive from", ex);
			return null;
		}
	}

	// Undoes what an application may have set for its own use of the database.
	private static void own(HikariConfig config) {
		config.setPoolName(POOL_NAME);
		config.setAutoCommit(true);
		config.setReadOnly(false);
		config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		config.setInitializationFailTimeout(-1);
		config.setAllowPoolSuspension(false);
		config.setRegisterMbeans(false);
		config.setMetricRegistry(null);
		config.setMetricsTrackerFactory(null);
		config.setHealthCheckRegistry(null);
		// LISTEN keeps its connection
		config.setLeakDetectionThreshold(0);
		String application = config.getConnectionInitSql();
		config.setConnectionInitSql(
				(application != null) ? application.strip() + "; " + PLANNER_SETTINGS : PLANNER_SETTINGS);
	}

}
