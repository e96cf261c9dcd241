package dev.workhorse.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.runtime.Workhorse;

/**
 * How many requests are decided in a second.
 */
final class EnqueueWorkload implements Workload {

	private static final String INSERT = "bare insert";

	private static final String SELECT = "`select 1`";

	private static final int CONNECTIONS = 16;

	/** As a web server has them, all with the same connections. */
	private static final int MANY_THREADS = 64;

	private static final int BATCH = 1_000;

	private static final int BURST_KEYS = 100;

	/** More than can be superseded while it is measured. */
	private static final int RUNNING = 20_000;

	private static final String BEGIN = """
			update workhorse.job_run
			set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(), started_at = workhorse.clock(),
			  lease_until = workhorse.clock() + interval '1 day'
			where queue = 'running'
			""";

	private final AtomicLong numbers = new AtomicLong();

	/** Which of the running executions are superseded already. */
	private final AtomicInteger superseded = new AtomicInteger();

	@Override
	public String name() {
		return "enqueue";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) {
		HikariDataSource pool = database.pool(CONNECTIONS);
		Workhorse workhorse = Workhorse.builder(pool).build();
		database.jdbc().execute("""
				create table bare (
				  id uuid primary key, type text not null, payload jsonb not null, key_hash bytea not null,
				  fingerprint bytea not null, created_at timestamptz not null default now()
				)
				""");
		try (Contender dbScheduler = new DbSchedulerContender(database);
				Contender jobRunr = new JobRunrContender(database)) {
			Comparison comparison = new Comparison(database, arguments,
					() -> reset(database, workhorse.queue(), dbScheduler, jobRunr));
			for (int threads : new int[] { 1, 8, CONNECTIONS, MANY_THREADS }) {
				comparison.add(INSERT, threads, () -> insert(pool))
					.add(dbScheduler.name(), threads, () -> newKey(dbScheduler))
					.add(jobRunr.name(), threads, () -> newKey(jobRunr))
					.add("new key", threads, () -> enqueue(workhorse.queue(), "new-" + number()), INSERT,
							dbScheduler.name(), jobRunr.name());
			}
			repeated(comparison, pool, workhorse.queue(), dbScheduler);
			merged(comparison, database, workhorse);
			batches(comparison, workhorse.queue(), dbScheduler);
			comparison.run();
			database.jdbc().execute("drop table bare");
			return new Section("%s%n%ndb-scheduler: %s.%nJobRunr: %s.".formatted(comparison.table(),
					dbScheduler.settings(), jobRunr.settings()), comparison.chart("Requests decided in a second"));
		}
	}

	private void repeated(Comparison comparison, HikariDataSource pool, Queue queue, Contender dbScheduler) {
		comparison.add(SELECT, CONNECTIONS, () -> select(pool))
			.add("db-scheduler, instance that exists", CONNECTIONS, () -> {
				dbScheduler.enqueue("held", Payload.small(0));
				return 1;
			})
			.add("replay of one key", CONNECTIONS, () -> enqueue(queue, "held"), SELECT,
					"db-scheduler, instance that exists")
			.add("conflict with one key", CONNECTIONS, () -> conflict(queue), SELECT)
			.add("`select 1`, all at once", CONNECTIONS, allAtOnce((key) -> select(pool)))
			.add("new key, the same for all, all at once", CONNECTIONS,
					allAtOnce((key) -> enqueue(queue, "hot-" + key)), "`select 1`, all at once");
	}

	private void merged(Comparison comparison, BenchmarkDatabase database, Workhorse workhorse) {
		Queue queue = workhorse.queue();
		Conductor conductor = workhorse.conductor();
		comparison.add("throttle, coalescing with one job", CONNECTIONS, () -> throttle(queue), SELECT)
			.add("debounce, replacing one of 100 jobs", CONNECTIONS, () -> debounce(queue))
			.add("invoke, updating one of 100 executions", CONNECTIONS, () -> update(conductor))
			.add("invoke, superseding a running execution", CONNECTIONS, supersede(conductor),
					() -> begin(database, conductor));
	}

	private void batches(Comparison comparison, Queue queue, Contender dbScheduler) {
		comparison.add("batches of 1,000 without keys", 1, () -> batch(queue, false))
			.add("db-scheduler, batches of 1,000 without a check", 1, () -> {
				long first = this.numbers.getAndAdd(BATCH);
				dbScheduler.enqueueAll(LongStream.range(first, first + BATCH).mapToObj(Payload::small).toList());
				return BATCH;
			})
			.add("batches of 1,000 new keys", 1, () -> batch(queue, true), "batches of 1,000 without keys",
					"db-scheduler, batches of 1,000 without a check");
	}

	private long number() {
		return this.numbers.incrementAndGet();
	}

	private void reset(BenchmarkDatabase database, Queue queue, Contender... peers) {
		database.jdbc().execute("truncate bare");
		database.truncate();
		for (Contender peer : peers) {
			peer.truncate();
		}
		database.checkpoint();
		enqueue(queue, "held");
		throttle(queue);
		peers[0].enqueue("held", Payload.small(0));
	}

	private int insert(HikariDataSource pool) {
		long number = number();
		byte[] hash = new byte[32];
		hash[0] = (byte) number;
		try (Connection connection = pool.getConnection();
				PreparedStatement statement = connection.prepareStatement("insert into bare"
						+ " (id, type, payload, key_hash, fingerprint) values (?, ?, cast(? as jsonb), ?, ?)")) {
			// time-ordered, as the ids of jobs are
			statement.setObject(1, new UUID((System.currentTimeMillis() << 16) | 0x7000, number));
			statement.setString(2, "benchmark");
			statement.setString(3, Payload.small(number).json());
			statement.setBytes(4, hash);
			statement.setBytes(5, hash);
			return statement.executeUpdate();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int select(HikariDataSource pool) {
		try (Connection connection = pool.getConnection();
				PreparedStatement statement = connection.prepareStatement("select 1")) {
			statement.executeQuery().next();
			return 1;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private int newKey(Contender contender) {
		long number = number();
		contender.enqueue("new-" + number, Payload.small(number));
		return 1;
	}

	private static int enqueue(Queue queue, String key) {
		queue.enqueue(WorkhorseContender.TYPE, Payload.small(0), EnqueueOptions.idempotencyKey(key));
		return 1;
	}

	private static int conflict(Queue queue) {
		try {
			queue.enqueue(WorkhorseContender.TYPE, Payload.small(1), EnqueueOptions.idempotencyKey("held"));
			throw new IllegalStateException("A different request was taken for the same");
		}
		catch (EnqueueIdempotencyConflictException ex) {
			return 1;
		}
	}

	private static int throttle(Queue queue) {
		queue.enqueue(WorkhorseContender.TYPE, Payload.small(0),
				EnqueueOptions.throttle(Throttle.key("throttled", Duration.ofDays(1))));
		return 1;
	}

	private int debounce(Queue queue) {
		long number = number();
		queue.enqueue(WorkhorseContender.TYPE, Payload.small(number),
				EnqueueOptions.debounce(Debounce.reset("debounced-" + number % BURST_KEYS, Duration.ofDays(1))));
		return 1;
	}

	private int update(Conductor conductor) {
		long number = number();
		conductor.invoke(WorkhorseContender.TYPE, Payload.small(number),
				InvokeOptions.dedupeKey("invoked-" + number % BURST_KEYS));
		return 1;
	}

	/** Ends early should there be no running execution left. */
	private Comparison.Work supersede(Conductor conductor) {
		return (threads, deadline) -> () -> {
			long decisions = 0;
			for (int number = this.superseded.getAndIncrement(); number < RUNNING
					&& System.nanoTime() < deadline; number = this.superseded.getAndIncrement()) {
				conductor.invoke(WorkhorseContender.TYPE, Payload.small(number), running(number));
				decisions++;
			}
			return decisions;
		};
	}

	private void begin(BenchmarkDatabase database, Conductor conductor) {
		for (int first = 0; first < RUNNING; first += BATCH) {
			conductor.invokeAll(IntStream.range(first, first + BATCH)
				.mapToObj(
						(number) -> new InvokeRequest(WorkhorseContender.TYPE, Payload.small(number), running(number)))
				.toList());
		}
		database.jdbc().update(BEGIN);
		this.superseded.set(0);
	}

	private static InvokeOptions running(int number) {
		return InvokeOptions.dedupeKey("running-" + number).queue("running");
	}

	private int batch(Queue queue, boolean keyed) {
		long first = this.numbers.getAndAdd(BATCH);
		return queue
			.enqueueAll(LongStream.range(first, first + BATCH)
				.mapToObj((number) -> new EnqueueRequest(WorkhorseContender.TYPE, Payload.small(number),
						(keyed) ? EnqueueOptions.idempotencyKey("batch-" + number) : EnqueueOptions.defaults()))
				.toList())
			.size();
	}

	/** All threads begin each decision at the same instant. */
	private Comparison.Work allAtOnce(LongToIntFunction decision) {
		return (threads, deadline) -> {
			AtomicLong round = new AtomicLong();
			CyclicBarrier barrier = new CyclicBarrier(threads,
					() -> round.set((System.nanoTime() < deadline) ? number() : -1));
			return atOnce(barrier, round, decision);
		};
	}

	private static Callable<Long> atOnce(CyclicBarrier barrier, AtomicLong round, LongToIntFunction decision) {
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
	}

}
