package dev.workhorse;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Race;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Another JVM that enqueues: in a race, or in a transaction that it keeps open.
 */
public final class EnqueueingJvm {

	static final int ROUNDS = 200;

	static final int CALLERS = 16;

	private EnqueueingJvm() {
	}

	/**
	 * Takes a JDBC URL, {@code hold} or the mode of a race, and a key.
	 */
	public static void main(String[] args) throws IOException {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(args[0]);
			pool.setMaximumPoolSize(10);
			Queue queue = Workhorse.builder(pool).build().queue();
			if (args[1].equals("hold")) {
				hold(pool, queue, args[2]);
			}
			else {
				queue.enqueue("warm-up", 1);
				System.out.println("ready");
				rounds(queue, KeyMode.valueOf(args[1]), args[2]);
			}
		}
	}

	private static void rounds(Queue queue, KeyMode mode, String prefix) {
		for (int round = 0; round < ROUNDS; round++) {
			String key = prefix + round;
			Race.Outcomes<EnqueueResult> outcomes = Race.of(CALLERS)
				.run(() -> queue.enqueueWithResult("type", key, options(mode, key)));
			outcomes.failures().forEach((failure) -> System.out.println("failed " + failure));
			outcomes.values()
				.forEach((result) -> System.out
					.println("decided " + key + " " + result.outcome() + " " + result.jobId()));
		}
		System.out.println("done");
	}

	static EnqueueOptions options(KeyMode mode, String key) {
		return switch (mode) {
			case IDEMPOTENCY -> EnqueueOptions.idempotencyKey(key);
			case THROTTLE -> EnqueueOptions.throttle(Throttle.key(key, Duration.ofHours(1)));
			case DEBOUNCE -> EnqueueOptions.debounce(Debounce.reset(key, Duration.ofHours(1)));
		};
	}

	private static void hold(HikariDataSource pool, Queue queue, String key) {
		new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult((status) -> {
			UUID job = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(key));
			System.out.println("holding " + job);
			try {
				// until it is killed
				System.in.read();
			}
			catch (IOException ex) {
				status.setRollbackOnly();
			}
		});
	}

}
