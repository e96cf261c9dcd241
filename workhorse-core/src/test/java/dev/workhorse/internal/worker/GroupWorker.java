package dev.workhorse.internal.worker;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A node in a JVM of its own whose handlers note, by the clock of the database, from when
 * to when they run.
 */
public final class GroupWorker {

	static final String QUEUE = "groups";

	static final int LIMIT = 2;

	private GroupWorker() {
	}

	@SuppressWarnings("resource") // closed by the end of the process
	public static void main(String[] args) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(args[0]);
		pool.setMaximumPoolSize(12);
		JdbcTemplate jdbc = new JdbcTemplate(pool);
		Workhorse node = Workhorse.builder(pool)
			.workOn(QUEUE, 32)
			.limitPerKey(QUEUE, LIMIT)
			.lease(Nodes.LEASE)
			.pollInterval(Duration.ofMillis(50))
			.handler(HandlerDefinition.of("grouped", String.class, (group, context) -> {
				Object row = jdbc.queryForObject(
						"insert into run (grp, node, began) values (?, ?, clock_timestamp())" + " returning id",
						Long.class, group, args[1]);
				Nodes.pass(Duration.ofMillis(100));
				jdbc.update("update run set ended = clock_timestamp() where id = ?", row);
				return null;
			}))
			.build();
		node.start();
		Await.until("working", Nodes.PATIENCE, () -> node.workerStatus().working());
		System.out.println("working");
	}

}
