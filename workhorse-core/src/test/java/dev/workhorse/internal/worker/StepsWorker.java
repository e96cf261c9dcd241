package dev.workhorse.internal.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.runtime.Workhorse;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A worker in a JVM of its own whose handler kills it between any two lines, once each,
 * for {@link StepsUnderKillIntegrationTests}.
 */
public final class StepsWorker {

	private final JdbcTemplate jdbc;

	private StepsWorker(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	public static void main(String[] args) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(args[0]);
		StepsWorker worker = new StepsWorker(new JdbcTemplate(dataSource));
		Workhorse.builder(dataSource)
			.lease(Duration.ofMillis(500))
			.pollInterval(Duration.ofMillis(50))
			.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
			.handler(HandlerDefinition.of("steps", String.class, worker::steps))
			.handler(HandlerDefinition.of("child", String.class, (payload, job) -> {
				worker.effect("child");
				return "grown";
			}).inTransaction())
			.build()
			.start();
		System.out.println("working");
	}

	private Object steps(Object payload, JobContext job) {
		killOnce("at the start");
		String charge = job.checkpoint("charge", String.class, () -> {
			effect("charge");
			return "charged";
		});
		killOnce("after the checkpoint");
		job.sleep("nap", Duration.ofMillis(200));
		killOnce("after the sleep");
		job.invokeChild("child", "child", charge);
		killOnce("after the start of the child");
		String child = job.awaitChild("child", String.class);
		killOnce("after the child");
		Map<?, ?> event = job.awaitEvent("event", EventMatch.of("go"), Map.class);
		killOnce("after the event");
		String last = job.checkpoint("last", String.class, () -> {
			effect("last");
			return child + " " + event.get("said");
		});
		killOnce("before the end");
		return charge + " " + last;
	}

	private void effect(String name) {
		this.jdbc.update("insert into effect (name) values (?)", name);
	}

	private void killOnce(String place) {
		if (this.jdbc.update("insert into kill (place) values (?) on conflict do nothing", place) == 1) {
			try {
				new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
			LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
		}
	}

}
