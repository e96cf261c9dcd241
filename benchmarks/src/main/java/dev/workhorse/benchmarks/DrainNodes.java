package dev.workhorse.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.testsupport.ChildJvm;

import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Workers in JVMs of their own that begin together, and what the server waits for
 * meanwhile.
 */
final class DrainNodes {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final Duration SAMPLE = Duration.ofMillis(50);

	private static final String WAITS = """
			select coalesce(wait_event_type || ': ' || wait_event, 'CPU') as event, count(*) as sessions
			from pg_stat_activity
			where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
			  and wait_event is distinct from 'advisory'
			group by 1
			""";

	private final BenchmarkDatabase database;

	DrainNodes(BenchmarkDatabase database) {
		this.database = database;
	}

	/**
	 * Have all jobs worked off.
	 */
	Drained drain(int nodes, String... jvmArgs) throws SQLException {
		List<ChildJvm> workers = new ArrayList<>();
		try (HikariDataSource pool = this.database.pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(
					"select pg_advisory_lock(%d), pg_advisory_lock(%d)".formatted(DrainNode.LOCK, DrainNode.LOCK + 1));
			for (int i = 0; i < nodes; i++) {
				workers.add(ChildJvm.of(DrainNode.class).jvmArgs(jvmArgs).args(this.database.jdbcUrl()).start());
			}
			workers.forEach((worker) -> worker.awaitLine("prepared", PATIENCE));
			statement.execute("select pg_advisory_unlock(" + DrainNode.LOCK + ")");
			long start = System.nanoTime();
			Duration before = ProcessorTime.ofNodes();
			Duration serverBefore = ProcessorTime.ofServer();
			Map<String, Integer> waits = new TreeMap<>();
			RowCallbackHandler count = (row) -> waits.merge(row.getString("event"), row.getInt("sessions"),
					Integer::sum);
			while (isLeft()) {
				this.database.jdbc().query(WAITS, count);
				LockSupport.parkNanos(SAMPLE.toNanos());
			}
			double seconds = (System.nanoTime() - start) / 1e9;
			Duration spent = ProcessorTime.ofNodes().minus(before);
			Duration spentByServer = ProcessorTime.ofServer().minus(serverBefore);
			statement.execute("select pg_advisory_unlock(" + (DrainNode.LOCK + 1) + ")");
			List<String> peaks = workers.stream().map((worker) -> worker.awaitLine("peak", PATIENCE)).toList();
			return new Drained(seconds, waits, peaks, spent, spentByServer);
		}
		finally {
			workers.forEach(ChildJvm::close);
		}
	}

	private boolean isLeft() {
		return Boolean.TRUE.equals(
				this.database.jdbc().queryForObject("select exists (select from workhorse.job_run)", Boolean.class));
	}

	/**
	 * What was seen.
	 *
	 * @param seconds how long it took
	 * @param waits how many sessions were seen running or waiting, by what they waited
	 * for
	 * @param peaks the peak heap of each worker, for people
	 * @param spent the processor time of the workers
	 * @param spentByServer the processor time of the server
	 */
	record Drained(double seconds, Map<String, Integer> waits, List<String> peaks, Duration spent,
			Duration spentByServer) {

	}

}
