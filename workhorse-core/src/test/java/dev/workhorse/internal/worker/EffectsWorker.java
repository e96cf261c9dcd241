package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.runtime.Workhorse;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A worker in a JVM of its own that writes one row for each job, for
 * {@link ExactlyOnceEffectsIntegrationTests}.
 */
public final class EffectsWorker {

	private static final int CONCURRENCY = 4;

	private EffectsWorker() {
	}

	public static void main(String[] args) {
		HikariDataSource application = pool(args[0], CONCURRENCY);
		JdbcTemplate jdbc = new JdbcTemplate(application);
		Workhorse.builder(application)
			.workerDataSource(pool(args[0], CONCURRENCY))
			.name(Long.toString(ProcessHandle.current().pid()))
			.workOn("default", CONCURRENCY)
			.lease(Duration.ofMillis(Long.parseLong(args[1])))
			.pollInterval(Duration.ofMillis(50))
			.handler(HandlerDefinition.of("effect", Integer.class, (payload, context) -> {
				jdbc.update("insert into effect values (?, pg_backend_pid())", context.jobId());
				Nodes.pass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(20)));
				return payload;
			}).inTransaction())
			.build()
			.start();
		System.out.println("working");
	}

	private static HikariDataSource pool(String url, int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(size);
		return pool;
	}

}
