package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for requests of many threads that go to the database together: nobody may notice.
 */
class EnqueueGroupIntegrationTests {

	private static final int THREADS = 48;

	private static CoreDatabase database;

	private static Queue queue;

	private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		queue = database.queue();
	}

	@BeforeEach
	void empty() {
		database.jdbc().execute("truncate workhorse.job, workhorse.job_run, workhorse.job_outcome");
	}

	@AfterEach
	void stop() {
		this.callers.shutdownNow();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void eachKeyGetsOneJobInFewTransactions() throws Exception {
		int keys = 2_000;
		// each key from two threads, far enough apart or at once
		List<EnqueueResult> results = atOnce(2 * keys, (i) -> enqueue("key-" + i % keys, "same"));
		assertThat(results.stream().filter((result) -> result.outcome() == EnqueueOutcome.ACCEPTED)).hasSize(keys);
		for (int i = 0; i < keys; i++) {
			assertThat(results.get(i).jobId()).isEqualTo(results.get(keys + i).jobId());
		}
		assertThat(database.count("job")).isEqualTo(keys);
		assertThat(database.count("job_run")).isEqualTo(keys);
		assertThat(database.jdbc().queryForObject("select count(distinct xmin::text) from workhorse.job", Long.class))
			.as("transactions")
			.isLessThan(keys * 3 / 4);
	}

	@Test
	void everyOptionIsStoredAsItIsAlone() throws Exception {
		List<Function<String, EnqueueOptions>> options = List.of((key) -> EnqueueOptions.defaults(),
				EnqueueOptions::idempotencyKey,
				(key) -> EnqueueOptions.idempotency(Idempotency.key(key).scope("scope").ttl(Duration.ofHours(3))),
				(key) -> EnqueueOptions.throttle(Throttle.key(key, Duration.ofMinutes(5))).priority(7),
				(key) -> EnqueueOptions.idempotencyKey(key)
					.queue("other")
					.tags("b", "a,c", "\"quoted\"")
					.maxAttempts(3)
					.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(9)))
					.concurrencyKey("group")
					.executionTimeout(Duration.ofSeconds(40)),
				(key) -> EnqueueOptions.defaults()
					.runAt(Instant.parse("2090-01-01T00:00:00.123456Z"))
					.deadline(Instant.parse("2091-01-01T00:00:00Z")));
		Queue traced = database.builder().interceptor(new WorkhorseInterceptor() {
			@Override
			public <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
				call.traceContext(Map.of("trace", call.type()));
				return proceed.get();
			}
		}).build().queue();
		int times = 40;
		atOnce(options.size() * times, (i) -> traced.enqueue("type-" + i % options.size(), List.of("é\\\"{}", i),
				options.get(i % options.size()).apply("together-" + i)));
		for (int i = 0; i < options.size(); i++) {
			traced.enqueue("type-" + i, List.of("é\\\"{}", -1), options.get(i).apply("alone-" + i));
		}
		assertThat(database.jdbc().queryForList("""
				select job.type, count(*), count(distinct (
				    job.queue, payload -> 0, job.priority, job.concurrency_key, job.run_at, tags, max_attempts,
				    retry_policy, deadline, timeout_ms, explicit_options, key_mode, key_scope, key_window_ms,
				    key_expires_at - created_at, trace_context, job_run.state, job_run.queue, job_run.type,
				    job_run.priority, job_run.concurrency_key, job_run.run_at - coalesce(job.run_at, created_at)
				  )) as different
				from workhorse.job join workhorse.job_run on job_id = id
				group by 1
				""")).hasSize(options.size()).allSatisfy((row) -> {
			assertThat(row.get("count")).isEqualTo(times + 1L);
			assertThat(row.get("different")).as(row.toString()).isEqualTo(1L);
		});
	}

	@Test
	void differentRequestsWithOneKeyAreTold() throws Exception {
		AtomicInteger conflicts = new AtomicInteger();
		int keys = 300;
		atOnce(2 * keys, (i) -> {
			try {
				return enqueue("conflict-" + i / 2, "payload " + i % 2);
			}
			catch (EnqueueIdempotencyConflictException ex) {
				conflicts.incrementAndGet();
				return null;
			}
		});
		assertThat(conflicts).hasValue(keys);
		assertThat(database.count("job")).isEqualTo(keys);
	}

	@Test
	void keysOfAnOpenTransactionHoldUpNobodyElse() throws Exception {
		// another node's, so that nothing here knows that they are held
		Queue other = database.queue();
		int open = 8;
		List<Future<EnqueueResult>> repeats = new ArrayList<>();
		List<UUID> holders = database.transaction().execute((status) -> {
			List<UUID> ids = IntStream.range(0, open)
				.mapToObj((i) -> other.enqueue("type", "same", EnqueueOptions.idempotencyKey("open-" + i)))
				.toList();
			List<Future<EnqueueResult>> free = new ArrayList<>();
			for (int i = 0; i < 4_000; i++) {
				int number = i;
				free.add(this.callers.submit(() -> enqueue("free-" + number, "x")));
				if (i % 400 == 200 && repeats.size() < open) {
					int repeated = repeats.size();
					repeats.add(this.callers.submit(() -> enqueue("open-" + repeated, "same")));
				}
			}
			free.forEach((request) -> unchecked(() -> request.get(20, TimeUnit.SECONDS)));
			return ids;
		});
		for (int i = 0; i < open; i++) {
			assertThat(repeats.get(i).get(10, TimeUnit.SECONDS)).returns(holders.get(i), EnqueueResult::jobId)
				.returns(EnqueueOutcome.REPLAYED, EnqueueResult::outcome);
		}
		assertThat(database.count("job")).isEqualTo(4_000 + open);
	}

	@Test
	void whatTheDatabaseRefusesOfOneIsToldToThatOneOnly() throws Exception {
		database.jdbc().execute("alter table workhorse.job add constraint refused check (type <> 'refused')");
		try {
			List<Object> ends = atOnce(400, (i) -> {
				try {
					return queue.enqueue((i % 20 == 0) ? "refused" : "fine", i);
				}
				catch (DataIntegrityViolationException ex) {
					return "refused";
				}
			});
			assertThat(ends).filteredOn("refused"::equals).hasSize(20);
			assertThat(database.count("job")).isEqualTo(380);
		}
		finally {
			database.jdbc().execute("alter table workhorse.job drop constraint refused");
		}
	}

	@Test
	void interruptOfOneIsNoFailureOfOthers() throws Exception {
		try (HikariDataSource narrow = database.database().newDataSource((config) -> config.setMaximumPoolSize(1))) {
			Queue waiting = Workhorse.builder(narrow).build().queue();
			AtomicInteger failed = new AtomicInteger();
			atOnce(4_000, (i) -> {
				boolean interrupted = i % 20 == 0;
				try {
					if (interrupted) {
						Thread.currentThread().interrupt();
					}
					return waiting.enqueue("type", i, EnqueueOptions.idempotencyKey("interrupt-" + i));
				}
				catch (CannotGetJdbcConnectionException ex) {
					assertThat(interrupted).as(ex.toString()).isTrue();
					failed.incrementAndGet();
					return null;
				}
				finally {
					Thread.interrupted();
				}
			});
			assertThat(failed.get()).as("nobody had to wait for the connection").isPositive();
			assertThat(database.count("job")).isEqualTo(4_000 - failed.get());
		}
	}

	@Test
	void callersOfADataSourceThatChoosesByThreadStayApart() throws Exception {
		ThreadLocal<String> tenant = ThreadLocal.withInitial(() -> "one");
		try (TestDatabase other = TestDatabase.create("tenant",
				(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema())) {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
				@Override
				protected Object determineCurrentLookupKey() {
					return tenant.get();
				}
			};
			routing.setTargetDataSources(Map.of("one", database.dataSource(), "two", other.dataSource()));
			routing.afterPropertiesSet();
			Queue tenants = Workhorse.builder(routing).build().queue();
			atOnce(600, (i) -> {
				tenant.set((i % 2 == 0) ? "one" : "two");
				return tenants.enqueue(tenant.get(), i);
			});
			String types = "select distinct type from workhorse.job";
			assertThat(database.jdbc().queryForList(types, String.class)).containsExactly("one");
			assertThat(new JdbcTemplate(other.dataSource()).queryForList(types, String.class)).containsExactly("two");
		}
	}

	private static EnqueueResult enqueue(String key, String payload) {
		return queue.enqueueWithResult("type", payload, EnqueueOptions.idempotencyKey(key));
	}

	private static void unchecked(Callable<?> action) {
		try {
			action.call();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Calls from many threads, results in the order of the numbers.
	 */
	private <T> List<T> atOnce(int calls, IntFunction<T> call) throws Exception {
		List<Future<T>> running = IntStream.range(0, calls)
			.mapToObj((i) -> this.callers.submit(() -> call.apply(i)))
			.toList();
		List<T> results = new ArrayList<>();
		for (Future<T> result : running) {
			results.add(result.get(60, TimeUnit.SECONDS));
		}
		return results;
	}

}
