package dev.workhorse.internal.worker;

import java.time.Duration;

import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A worker in a JVM of its own, for {@link CrashRecoveryIntegrationTests}.
 */
public final class ChildWorker {

	private ChildWorker() {
	}

	public static void main(String[] args) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(args[0]);
		Duration time = Duration.ofMillis(Long.parseLong(args[2]));
		Workhorse node = Workhorse.builder(dataSource)
			.workOn(args[1], 2)
			.lease(Duration.ofMillis(Long.parseLong(args[3])))
			.pollInterval(Duration.ofMillis(50))
			.handler(HandlerDefinition.of(args[1], String.class, (payload, context) -> {
				System.out.println("begun " + context.attempt());
				Nodes.pass(time);
				return "child";
			}))
			.build();
		node.start();
		Await.until("working", Nodes.PATIENCE, () -> node.workerStatus().working());
		System.out.println("working");
	}

}
