package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.TestDatabase;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Removes finished jobs while others flow, and prints how long those wait for their start
 * before, during and after. No test: what it prints depends on the machine. See
 * {@code docs/operating/retention.md}.
 */
public final class RetentionPerformance {

	private static final Map<String, String> DURABLE = Map.of("fsync", "on", "synchronous_commit", "on",
			"shared_buffers", "256MB", "min_wal_size", "2GB", "max_wal_size", "8GB");

	private static final int BATCH = 20;

	private static final String FILL = """
			with job as (
			  insert into workhorse.job
			    (id, queue, type, payload, priority, max_attempts, retry_policy, created_at,
			     key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint, key_window_ms, key_expires_at)
			  select gen_random_uuid(), 'default', 'old', jsonb_build_object('number', i, 'text', repeat('x', 150)), 0, 25,
			    'polynomial', workhorse.clock() - interval '3 days',
			    case when i % 2 = 0 then sha256(i::text::bytea) end, 'idempotency', 'default', 'key-' || i, 10,
			    sha256(i::text::bytea), 86400000, workhorse.clock() - interval '2 days'
			  from generate_series(?, ?) as i
			  returning id
			)
			insert into workhorse.job_outcome (job_id, state, attempt, result, started_at, finished_at)
			select id, 'succeeded', 1, '1', workhorse.clock() - interval '3 days', workhorse.clock() - interval '3 days'
			from job
			""";

	private static final String LATENCIES = """
			select format('%s jobs, %s/s; wait for the start p50 %s ms, p99 %s ms, most %s ms',
			  count(*), round(count(*) / extract(epoch from cast(? as timestamptz) - cast(? as timestamptz))),
			  round(cast(percentile_cont(0.5) within group (order by ms) as numeric), 1),
			  round(cast(percentile_cont(0.99) within group (order by ms) as numeric), 1),
			  round(cast(max(ms) as numeric), 1))
			from (
			  select extract(epoch from job_outcome.started_at - job.created_at) * 1000 as ms
			  from workhorse.job
			  join workhorse.job_outcome on job_outcome.job_id = job.id
			  where job.type = 'flow'
			    and job.created_at between cast(? as timestamptz) and cast(? as timestamptz)
			) as started
			""";

	private final JdbcTemplate jdbc;

	private final Maintenance maintenance;

	private RetentionPerformance(JdbcTemplate jdbc, Maintenance maintenance) {
		this.jdbc = jdbc;
		this.maintenance = maintenance;
	}

	/**
	 * Takes how many finished jobs there are, how many jobs come in a second, and how
	 * many seconds are measured before and after.
	 */
	public static void main(String[] args) throws Exception {
		int finished = (args.length > 0) ? Integer.parseInt(args[0]) : 1_000_000;
		int rate = (args.length > 1) ? Integer.parseInt(args[1]) : 2_000;
		int seconds = (args.length > 2) ? Integer.parseInt(args[2]) : 30;
		try (OwnPostgresServer server = PostgresServer.startOwn(DURABLE);
				TestDatabase database = TestDatabase.createOn(server.server(), "retention",
						(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
				HikariDataSource pool = database.newDataSource((config) -> config.setMaximumPoolSize(8));
				HikariDataSource workerPool = database.newDataSource((config) -> {
					config.setMaximumPoolSize(5);
					config.setConnectionInitSql(BenchmarkDatabase.PLANNER_SETTINGS);
				})) {
			RetentionPerformance performance = new RetentionPerformance(new JdbcTemplate(pool),
					new Maintenance(workerPool, "workhorse", RetentionSettings.DEFAULTS));
			performance.fill(finished);
			performance.run(node(pool, workerPool), rate, Duration.ofSeconds(seconds));
		}
	}

	private static Workhorse node(HikariDataSource pool, HikariDataSource workerPool) {
		return Workhorse.builder(pool)
			.workerDataSource(workerPool)
			.maintenanceInterval(Duration.ofDays(1))
			.workOn("default", 20)
			.handler(HandlerDefinition.of("flow", Integer.class, (payload, context) -> null))
			.build();
	}

	private void fill(int finished) {
		int step = 100_000;
		for (int first = 1; first <= finished; first += step) {
			this.jdbc.update(FILL, first, Math.min(finished, first + step - 1));
		}
		this.jdbc.execute("vacuum (analyze) workhorse.job");
		this.jdbc.execute("vacuum (analyze) workhorse.job_outcome");
		this.jdbc.execute("checkpoint");
		System.out.println("Finished jobs: " + finished);
	}

	private void run(Workhorse node, int rate, Duration each) throws Exception {
		node.start();
		ScheduledExecutorService producers = Producers.start(rate / BATCH, (number) -> enqueue(node.queue()));
		measure("warm-up", () -> pass(each.dividedBy(3)));
		measure("before", () -> pass(each));
		measure("during", () -> {
			Maintenance.Removed removed = this.maintenance.run();
			return "freed " + removed.keys() + " keys, removed " + removed.jobs() + " jobs";
		});
		measure("after", () -> pass(each));
		producers.shutdown();
		node.stop(Duration.ofSeconds(10));
	}

	private static void enqueue(Queue queue) {
		List<EnqueueRequest> requests = IntStream.range(0, BATCH)
			.mapToObj((number) -> new EnqueueRequest("flow", number))
			.toList();
		queue.enqueueAll(requests);
	}

	private static String pass(Duration duration) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(duration.toNanos());
		return "nothing removed";
	}

	private void measure(String name, Callable<String> work) throws Exception {
		String start = now();
		long begin = System.nanoTime();
		String done = work.call();
		double took = (System.nanoTime() - begin) / 1e9;
		String end = now();
		// what came in last is given the time to start
		pass(Duration.ofSeconds(1));
		System.out.printf("%s: %.1f s, %s; %s%n", name, took, done,
				this.jdbc.queryForObject(LATENCIES, String.class, end, start, start, end));
	}

	private String now() {
		return Objects.requireNonNull(this.jdbc.queryForObject("select workhorse.clock()::text", String.class));
	}

}
