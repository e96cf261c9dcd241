package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;

/**
 * What a node asks of the database when there is nothing to do.
 */
final class IdleWorkload implements Workload {

	private static final int MOST_QUEUES = 3;

	@Override
	public String name() {
		return "idle";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		StringBuilder table = new StringBuilder(
				"| queues | statements a second | WAL bytes a second |\n|---|---|---|\n");
		for (int queues = 1; queues <= MOST_QUEUES; queues += 2) {
			WorkhorseBuilder builder = Workhorse.builder(database.pool(2))
				.workerDataSource(database.workerPool())
				.handler(HandlerDefinition.of(WorkhorseContender.TYPE, Payload.class, (payload, context) -> null));
			for (int queue = 0; queue < queues; queue++) {
				builder.workOn("queue-" + queue, Contender.WORKERS);
			}
			Workhorse node = builder.build();
			node.start();
			long nanos = arguments.each().toNanos() * 10;
			// the start is over by then
			TimeUnit.NANOSECONDS.sleep(nanos / 2);
			Usage before = Usage.read(database.jdbc());
			TimeUnit.NANOSECONDS.sleep(nanos);
			Usage used = Usage.read(database.jdbc()).since(before);
			node.stop(Duration.ofSeconds(1));
			table.append(String.format(Locale.ROOT, "| %d | %.1f | %,.0f |%n", queues,
					(used.statements() - 1) * 1e9 / nanos, used.walBytes() * 1e9 / nanos));
		}
		return new Section(table.toString(), null);
	}

}
