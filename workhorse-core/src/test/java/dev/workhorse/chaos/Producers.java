package dev.workhorse.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.Throttle;
import dev.workhorse.WorkhorseException;
import dev.workhorse.runtime.Workhorse;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that enqueue, some of it twice, and remember what they were told.
 */
final class Producers {

	static final Duration DEBOUNCE = Duration.ofMillis(300);

	static final Duration THROTTLE = Duration.ofMillis(500);

	private static final int KEYS = 5;

	private final Queue queue;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final Duration pause;

	private final List<Thread> threads = new ArrayList<>();

	private final AtomicInteger numbers = new AtomicInteger();

	private final Map<String, Set<UUID>> told = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();

	private final AtomicInteger unknown = new AtomicInteger();

	private final Map<String, AtomicInteger> refused = new ConcurrentHashMap<>();

	private volatile boolean running = true;

	Producers(DataSource dataSource, Duration pause) {
		this.queue = Workhorse.builder(dataSource)
			.maxAttempts(100)
			.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(200)))
			.build()
			.queue();
		this.transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		this.jdbc = new JdbcTemplate(dataSource);
		this.pause = pause;
	}

	void start(int count, long seed) {
		for (int i = 0; i < count; i++) {
			Random random = new Random(seed + i);
			Thread thread = new Thread(() -> produce(random), "producer-" + i);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	void stop() throws InterruptedException {
		this.running = false;
		for (Thread thread : this.threads) {
			thread.join(Duration.ofSeconds(30).toMillis());
			assertThat(thread.isAlive()).as("alive: " + thread).isFalse();
		}
	}

	private void produce(Random random) {
		while (this.running) {
			String key = key(random);
			try {
				EnqueueResult result = request(key);
				this.told.computeIfAbsent(key, (each) -> ConcurrentHashMap.newKeySet()).add(result.jobId());
				count(this.outcomes, key.charAt(0) + " " + result.outcome().label());
			}
			catch (DataAccessException | TransactionException ex) {
				// whether it was accepted is not known
				this.unknown.incrementAndGet();
			}
			catch (WorkhorseException ex) {
				count(this.refused, ex.toString());
			}
			LockSupport.parkNanos(this.pause.toNanos());
		}
	}

	private String key(Random random) {
		int number = this.numbers.incrementAndGet();
		int dice = random.nextInt(100);
		if (dice < 30) {
			return "unkeyed-" + number;
		}
		if (dice < 45) {
			return "purchase-" + number;
		}
		if (dice < 75) {
			return "idempotent-" + Math.max(0, number / 4 - random.nextInt(20));
		}
		return ((dice < 90) ? "debounced-" : "throttled-") + random.nextInt(KEYS);
	}

	private EnqueueResult request(String key) {
		return switch (key.charAt(0)) {
			case 'i' -> enqueue(key, EnqueueOptions.idempotencyKey(key));
			case 'd' -> enqueue(key, EnqueueOptions.debounce(Debounce.reset(key, DEBOUNCE)));
			case 't' -> enqueue(key, EnqueueOptions.throttle(Throttle.key(key, THROTTLE)));
			case 'p' -> purchase(key);
			default -> enqueue(key, EnqueueOptions.defaults());
		};
	}

	private EnqueueResult enqueue(String payload, EnqueueOptions options) {
		return this.queue.enqueueWithResult(ChaosWorker.TYPE, payload, options);
	}

	/** The job and a row of the application, both or neither. */
	private EnqueueResult purchase(String key) {
		return this.transaction.execute((status) -> {
			EnqueueResult result = enqueue(key, EnqueueOptions.defaults());
			this.jdbc.update("insert into purchase (job_id) values (?)", result.jobId());
			return result;
		});
	}

	private static void count(Map<String, AtomicInteger> counts, String name) {
		counts.computeIfAbsent(name, (each) -> new AtomicInteger()).incrementAndGet();
	}

	/**
	 * Everything a producer was told is so, and nothing is there that none asked for.
	 */
	void check(DataSource direct) {
		assertThat(this.refused).as("refused requests").isEmpty();
		JdbcTemplate database = new JdbcTemplate(direct);
		Set<UUID> stored = Set.copyOf(database.queryForList("select id from workhorse.job", UUID.class));
		Set<UUID> known = ConcurrentHashMap.newKeySet();
		this.told.forEach((key, ids) -> {
			assertThat(stored).as("jobs of " + key).containsAll(ids);
			known.addAll(ids);
		});
		assertThat(stored.size()).as("stored jobs").isBetween(known.size(), known.size() + this.unknown.get());
		this.told.forEach((key, ids) -> {
			if (key.charAt(0) == 'i') {
				assertThat(ids).as("jobs of " + key).hasSize(1);
			}
		});
		assertThat(database.queryForList("""
				select payload #>> '{}' from workhorse.job
				where payload #>> '{}' like 'idempotent%'
				group by 1 having count(*) > 1
				""", String.class)).as("keys with several jobs").isEmpty();
		assertThat(database.queryForList("""
				select payload from (
				  select payload #>> '{}' as payload, created_at,
				    lag(created_at) over (partition by payload order by created_at) as before
				  from workhorse.job where payload #>> '{}' like 'throttled%'
				) as throttled
				where created_at - before < make_interval(secs => ? / 1000.0)
				""", String.class, THROTTLE.toMillis())).as("throttled jobs within one window").isEmpty();
		assertThat(database.queryForList("""
				select coalesce(job.id, purchase.job_id)
				from (select id from workhorse.job where payload #>> '{}' like 'purchase%') as job
				full join purchase on purchase.job_id = job.id
				where job.id is null or purchase.job_id is null
				""", UUID.class)).as("jobs without their purchase or the other way").isEmpty();
	}

	int accepted() {
		return this.outcomes.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().endsWith(EnqueueOutcome.ACCEPTED.label()))
			.mapToInt((entry) -> entry.getValue().get())
			.sum();
	}

	@Override
	public String toString() {
		Map<String, Object> counts = new TreeMap<>(new HashMap<>(this.outcomes));
		return counts + ", answer lost: " + this.unknown;
	}

}
