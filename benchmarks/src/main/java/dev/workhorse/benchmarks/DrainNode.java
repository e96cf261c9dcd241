package dev.workhorse.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Locale;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.runtime.Workhorse;

/**
 * A worker in a JVM of its own. It begins and ends when its parent gives up the one and
 * the other of two advisory locks.
 */
public final class DrainNode {

	static final long LOCK = 4711;

	private DrainNode() {
	}

	/**
	 * Work on the database of the given URL.
	 */
	public static void main(String[] args) throws Exception {
		try (HikariDataSource pool = new HikariDataSource(pool(args[0]))) {
			Workhorse node = Workhorse.builder(pool)
				.workerDataSource(pool)
				.workOn(EnqueueOptions.DEFAULT_QUEUE, Contender.WORKERS)
				.handler(HandlerDefinition.of(WorkhorseContender.TYPE, Payload.class, (payload, context) -> null))
				.build();
			System.out.println("prepared");
			try (var connection = pool.getConnection(); var statement = connection.createStatement()) {
				statement.execute("select pg_advisory_lock_shared(" + LOCK + ")");
				statement.execute("select pg_advisory_unlock_shared(" + LOCK + ")");
			}
			node.start();
			try (var connection = pool.getConnection(); var statement = connection.createStatement()) {
				// taken once there is nothing left
				statement.execute("select pg_advisory_lock_shared(" + (LOCK + 1) + ")");
			}
			System.out.printf(Locale.ROOT, "peak %.0f MB%n", peakMegabytes());
			System.exit(0);
		}
	}

	/**
	 * The pool of a worker.
	 */
	static HikariConfig pool(String jdbcUrl) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(jdbcUrl);
		config.setMaximumPoolSize(6);
		config.setConnectionInitSql(BenchmarkDatabase.PLANNER_SETTINGS);
		return config;
	}

	private static double peakMegabytes() {
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP)
			.mapToLong((MemoryPoolMXBean pool) -> pool.getPeakUsage().getUsed())
			.sum() / 1e6;
	}

}
