package dev.workhorse.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.TestDatabase;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A durable server of its own with one database, in which Workhorse and its peers have
 * their tables.
 */
final class BenchmarkDatabase implements AutoCloseable {

	private static final Map<String, String> SETTINGS = Map.of("fsync", "on", "synchronous_commit", "on",
			"shared_buffers", "512MB", "min_wal_size", "2GB", "max_wal_size", "8GB", "checkpoint_timeout", "1h",
			"max_connections", "200", "shared_preload_libraries", "pg_stat_statements");

	/** As the auto-configuration sets them on the worker's own connections. */
	static final String PLANNER_SETTINGS = "set enable_seqscan = off; set enable_bitmapscan = off; "
			+ "set jit = off; set plan_cache_mode = force_generic_plan";

	private static final String FILL = """
			with job as (
			  insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, run_at, created_at)
			  select gen_random_uuid(), 'default', 'benchmark', jsonb_build_object('number', i, 'text', repeat('x', 170)),
			    0, 25, 'polynomial', case when ? = 'scheduled' then workhorse.clock() + interval '1 day' end,
			    workhorse.clock()
			  from generate_series(1, ?) as i
			  returning id, run_at, created_at
			)
			insert into workhorse.job_run (job_id, queue, type, state, priority, run_at)
			select id, 'default', 'benchmark', ?, 0, coalesce(run_at, created_at) from job
			""";

	private final OwnPostgresServer server;

	private final TestDatabase database;

	private final List<HikariDataSource> pools = new ArrayList<>();

	private final JdbcTemplate jdbc;

	BenchmarkDatabase() {
		this.server = PostgresServer.startOwn(SETTINGS);
		this.database = TestDatabase.createOn(this.server.server(), "benchmarks",
				(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
		this.jdbc = new JdbcTemplate(this.database.dataSource());
		this.jdbc.execute("create extension pg_stat_statements");
	}

	/**
	 * Log files that are written for the first time cost up to four times as much as
	 * recycled ones.
	 */
	void warmLog() {
		this.jdbc.execute("create table filler as select repeat(md5(i::text), 100) from generate_series(1, 400000) i");
		this.jdbc.execute("drop table filler");
		checkpoint();
	}

	void checkpoint() {
		this.jdbc.execute("checkpoint");
	}

	/**
	 * Bring statistics up to date and dirty pages to disk, so that what is measured next
	 * does not pay for what was written before.
	 */
	void settle() {
		this.jdbc.execute("vacuum (analyze)");
		checkpoint();
	}

	void truncate() {
		this.jdbc.execute("truncate workhorse.job, workhorse.job_run, workhorse.job_outcome, workhorse.job_event,"
				+ " workhorse.follow_up");
	}

	/**
	 * Write many jobs at once, without the API.
	 * @param state {@code ready}, or {@code scheduled} for those that are due in a day
	 */
	void fill(int jobs, String state) {
		this.jdbc.update(FILL, state, jobs, state);
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	String jdbcUrl() {
		return this.database.jdbcUrl();
	}

	/**
	 * Open a pool, which lasts until the end of the workload at the latest.
	 */
	HikariDataSource pool(int size) {
		return remember(this.database.newDataSource((config) -> {
			config.setMaximumPoolSize(size);
			config.setMinimumIdle(size);
			countRoundTrips(config);
		}));
	}

	HikariDataSource workerPool() {
		return remember(this.database.newDataSource((config) -> {
			config.setMaximumPoolSize(5);
			config.setConnectionInitSql(PLANNER_SETTINGS);
			countRoundTrips(config);
		}));
	}

	private static void countRoundTrips(HikariConfig config) {
		config.addDataSourceProperty("socketFactory", RoundTrips.class.getName());
	}

	private HikariDataSource remember(HikariDataSource pool) {
		this.pools.add(pool);
		return pool;
	}

	void closePools() {
		this.pools.forEach(HikariDataSource::close);
		this.pools.clear();
	}

	/**
	 * What figures depend on.
	 */
	String facts() {
		return "%s, Java %s, %d cores shared by the server and the clients; `fsync` and `synchronous_commit` on"
			.formatted(
					this.jdbc.queryForObject("select 'PostgreSQL ' || current_setting('server_version')", String.class),
					System.getProperty("java.version"), Runtime.getRuntime().availableProcessors());
	}

	@Override
	public void close() {
		this.database.close();
		this.server.close();
	}

}
