package dev.workhorse;

import java.io.IOException;
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

	private EnqueueingJvm() {
	}

	/**
	 * Takes a JDBC URL, {@code race} or {@code hold}, and a key.
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
				rounds(queue, args[2]);
			}
		}
	}

	private static void rounds(Queue queue, String prefix) {
		for (int round = 0; round < 10; round++) {
			String key = prefix + round;
			Race.Outcomes<EnqueueResult> outcomes = Race.of(25)
				.run(() -> queue.enqueueWithResult("type", key, EnqueueOptions.idempotencyKey(key)));
			outcomes.failures().forEach((failure) -> System.out.println("failed " + failure));
			outcomes.values()
				.forEach((result) -> System.out
					.println("decided " + key + " " + result.outcome() + " " + result.jobId()));
		}
		System.out.println("done");
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
