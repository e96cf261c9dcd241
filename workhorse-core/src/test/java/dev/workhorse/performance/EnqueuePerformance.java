package dev.workhorse.performance;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.TestDatabase;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares decisions on enqueue requests with the least that the same database could do,
 * on a durable server of its own. No test: what it prints depends on the machine, and
 * only the ratios mean anything. See {@code docs/performance.md}.
 */
public final class EnqueuePerformance {

	private static final int BATCH = 1_000;

	private static final Map<String, String> DURABLE = Map.of("fsync", "on", "synchronous_commit", "on",
			"shared_buffers", "256MB", "min_wal_size", "2GB", "max_wal_size", "8GB", "checkpoint_timeout", "1h");

	private static final Order PAYLOAD = new Order("A-4711", "customer@example.org",
			List.of(new Line("4006381333931", 2, "12.50"), new Line("4006381333948", 1, "199.00")));

	/** What {@link #PAYLOAD} is written as. */
	private static final String JSON = """
			{"number":"A-4711","customer":"customer@example.org","lines":[\
			{"article":"4006381333931","pieces":2,"price":"12.50"},\
			{"article":"4006381333948","pieces":1,"price":"199.00"}]}""";

	private final AtomicLong numbers = new AtomicLong();

	private final HikariDataSource pool;

	private final JdbcTemplate jdbc;

	private final Queue queue;

	private EnqueuePerformance(HikariDataSource pool) {
		this.pool = pool;
		this.jdbc = new JdbcTemplate(pool);
		this.queue = Workhorse.builder(pool).build().queue();
	}

	/**
	 * Takes how many rounds to measure and how many seconds each case lasts per round.
	 */
	public static void main(String[] args) {
		int rounds = (args.length > 0) ? Integer.parseInt(args[0]) : 5;
		Duration each = Duration.ofSeconds((args.length > 1) ? Integer.parseInt(args[1]) : 2);
		try (OwnPostgresServer server = PostgresServer.startOwn(DURABLE);
				TestDatabase database = TestDatabase.createOn(server.server(), "performance",
						(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
				HikariDataSource pool = database.newDataSource((config) -> {
					config.setMaximumPoolSize(16);
					config.setMinimumIdle(16);
				})) {
			EnqueuePerformance performance = new EnqueuePerformance(pool);
			Comparison comparison = new Comparison(performance.cases(), performance::reset);
			performance.warmLog();
			comparison.run(1, each);
			comparison.forget();
			comparison.run(rounds, each);
			System.out.println(comparison.table());
		}
	}

	private List<Comparison.Case> cases() {
		this.jdbc.execute("""
				create table bare (
				  id uuid primary key, type text not null, payload jsonb not null, key_hash bytea not null,
				  fingerprint bytea not null, created_at timestamptz not null default now()
				)
				""");
		return List.of(new Comparison.Case("bare insert", 1, null, Comparison.repeat(this::insert)),
				new Comparison.Case("new key", 1, "bare insert", Comparison.repeat(this::newKey)),
				new Comparison.Case("bare insert", 8, null, Comparison.repeat(this::insert)),
				new Comparison.Case("new key", 8, "bare insert", Comparison.repeat(this::newKey)),
				new Comparison.Case("bare insert", 16, null, Comparison.repeat(this::insert)),
				new Comparison.Case("new key", 16, "bare insert", Comparison.repeat(this::newKey)),
				new Comparison.Case("debounce, replacing one of 100 jobs", 16, "bare insert",
						Comparison.repeat(this::debounce)),
				new Comparison.Case("`select 1`", 16, null, Comparison.repeat(this::select)),
				new Comparison.Case("replay of one key", 16, "`select 1`", Comparison.repeat(this::replay)),
				new Comparison.Case("throttle, coalescing with one job", 16, "`select 1`",
						Comparison.repeat(this::coalesce)),
				new Comparison.Case("`select 1`, all at once", 16, null, allAtOnce((key) -> select())),
				new Comparison.Case("new key, the same for all, all at once", 16, "`select 1`, all at once",
						allAtOnce((key) -> enqueue("hot-" + key))),
				new Comparison.Case("batch of 1,000 without keys", 1, null, Comparison.repeat(() -> batch(false))),
				new Comparison.Case("batch of 1,000 new keys", 1, "batch of 1,000 without keys",
						Comparison.repeat(() -> batch(true))));
	}

	/** Log files that are written for the first time cost more than recycled ones. */
	private void warmLog() {
		this.jdbc.execute("create table filler as select repeat(md5(i::text), 100) from generate_series(1, 400000) i");
		this.jdbc.execute("drop table filler");
		this.jdbc.execute("checkpoint");
	}

	private void reset() {
		this.jdbc.execute("truncate bare, workhorse.job, workhorse.job_run");
		this.jdbc.execute("checkpoint");
		enqueue("replayed");
		coalesce();
	}

	private int insert() {
		long number = this.numbers.incrementAndGet();
		byte[] hash = new byte[32];
		hash[0] = (byte) number;
		try (Connection connection = this.pool.getConnection();
				PreparedStatement statement = connection.prepareStatement("insert into bare"
						+ " (id, type, payload, key_hash, fingerprint) values (?, ?, cast(? as jsonb), ?, ?)")) {
			// time-ordered, as the ids of jobs are
			statement.setObject(1, new UUID((System.currentTimeMillis() << 16) | 0x7000, number));
			statement.setString(2, "type");
			statement.setString(3, JSON);
			statement.setBytes(4, hash);
			statement.setBytes(5, hash);
			return statement.executeUpdate();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private int select() {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement statement = connection.prepareStatement("select 1")) {
			statement.executeQuery().next();
			return 1;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private int newKey() {
		return enqueue("new-" + this.numbers.incrementAndGet());
	}

	private int replay() {
		return enqueue("replayed");
	}

	private int enqueue(String key) {
		this.queue.enqueue("type", PAYLOAD, EnqueueOptions.idempotencyKey(key));
		return 1;
	}

	private int coalesce() {
		this.queue.enqueue("type", PAYLOAD, EnqueueOptions.throttle(Throttle.key("throttled", Duration.ofDays(1))));
		return 1;
	}

	private int debounce() {
		String key = "debounced-" + this.numbers.incrementAndGet() % 100;
		this.queue.enqueue("type", PAYLOAD, EnqueueOptions.debounce(Debounce.reset(key, Duration.ofDays(1))));
		return 1;
	}

	private int batch(boolean keyed) {
		List<EnqueueRequest> requests = IntStream.range(0, BATCH)
			.mapToObj((i) -> new EnqueueRequest("type", PAYLOAD,
					(keyed) ? EnqueueOptions.idempotencyKey("batch-" + this.numbers.incrementAndGet())
							: EnqueueOptions.defaults()))
			.toList();
		return this.queue.enqueueAll(requests).size();
	}

	/** All threads begin each decision at the same instant. */
	private Comparison.Work allAtOnce(LongToIntFunction decision) {
		return (threads, deadline) -> {
			AtomicLong round = new AtomicLong();
			CyclicBarrier barrier = new CyclicBarrier(threads,
					() -> round.set((System.nanoTime() < deadline) ? this.numbers.incrementAndGet() : -1));
			return () -> {
				long decisions = 0;
				while (true) {
					barrier.await();
					long number = round.get();
					if (number < 0) {
						return decisions;
					}
					decisions += decision.applyAsInt(number);
				}
			};
		};
	}

	record Order(String number, String customer, List<Line> lines) {

	}

	record Line(String article, int pieces, String price) {

	}

}
