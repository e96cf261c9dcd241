package dev.workhorse.internal.event;

import java.time.Duration;

import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A node in a JVM of its own that dispatches events and runs no jobs.
 */
public final class DispatchingJvm {

	private DispatchingJvm() {
	}

	public static void main(String[] args) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(args[0]);
		dataSource.setApplicationName("dispatching-jvm");
		Workhorse node = Workhorse.builder(dataSource).workOn("nothing", 1).pollInterval(Duration.ofMillis(50)).build();
		node.start();
		Await.until("working", Emitters.PATIENCE, () -> node.workerStatus().working());
		System.out.println("working");
	}

}
