package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.runtime.Workhorse;

/**
 * Enqueue, run and retention at once for a long time: nothing may get slower or grow.
 */
final class FlowWorkload implements Workload {

	private static final int RATE = 1_000;

	private static final Duration KEPT = Duration.ofSeconds(60);

	private static final String SIZES = """
			select
			  sum(pg_table_size(oid)) filter (where relname = 'job_run') / 1e6 as hot,
			  sum(pg_table_size(oid)) filter (where relname <> 'job_run') / 1e6 as tables,
			  sum(pg_indexes_size(oid)) / 1e6 as indexes
			from pg_class
			where oid in (
			  'workhorse.job'::regclass, 'workhorse.job_run'::regclass, 'workhorse.job_outcome'::regclass
			)
			""";

	@Override
	public String name() {
		return "flow";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		ConcurrentLinkedQueue<Double> waits = new ConcurrentLinkedQueue<>();
		AtomicLong removed = new AtomicLong();
		Workhorse node = Workhorse.builder(database.pool(8))
			.workerDataSource(database.workerPool())
			.workOn(EnqueueOptions.DEFAULT_QUEUE, Contender.WORKERS)
			.retention(KEPT, KEPT, KEPT)
			.maintenanceInterval(Duration.ofSeconds(10))
			.listener(new WorkhorseListener() {
				@Override
				public void onAttemptStart(AttemptStarted started) {
					waits.add(started.waited().toNanos() / 1e6);
				}

				@Override
				public void onMaintenance(long keys, long jobs) {
					removed.addAndGet(jobs);
				}
			})
			.handler(HandlerDefinition.of(WorkhorseContender.TYPE, Payload.class, (payload, context) -> null))
			.build();
		node.start();
		ScheduledExecutorService producers = Producers.start(RATE,
				(number) -> node.queue()
					.enqueue(WorkhorseContender.TYPE, Payload.small(number),
							EnqueueOptions.idempotency(Idempotency.key("flow-" + number).ttl(KEPT))));
		List<Minute> minutes = new ArrayList<>();
		for (long minute = 0; minute < arguments.flow().toMinutes(); minute++) {
			long before = removed.get();
			TimeUnit.MINUTES.sleep(1);
			List<Double> waited = new ArrayList<>();
			for (Double wait = waits.poll(); wait != null; wait = waits.poll()) {
				waited.add(wait);
			}
			minutes.add(minute(database, waited, removed.get() - before));
		}
		producers.shutdownNow();
		node.stop(Duration.ofSeconds(10));
		return section(minutes);
	}

	private static Minute minute(BenchmarkDatabase database, List<Double> waited, long removed) {
		return database.jdbc()
			.query(SIZES,
					(row, number) -> new Minute(waited.size() / 60.0, Figures.percentile(waited, 0.5),
							Figures.percentile(waited, 0.99), removed / 60.0, row.getDouble("hot"),
							row.getDouble("tables"), row.getDouble("indexes")))
			.get(0);
	}

	private static Section section(List<Minute> minutes) {
		StringBuilder table = new StringBuilder("| minute | jobs a second | wait for the start, p50 ms | p99 ms |"
				+ " removed a second | `job_run` MB | other tables MB | indexes MB |\n|---|---|---|---|---|---|---|---|\n");
		int step = Math.max(1, minutes.size() / 10);
		for (int i = 0; i < minutes.size(); i++) {
			Minute minute = minutes.get(i);
			if (i % step == 0 || i == minutes.size() - 1) {
				table.append(String.format(Locale.ROOT, "| %d | %,.0f | %.1f | %.1f | %,.0f | %.1f | %.0f | %.0f |%n",
						i + 1, minute.rate(), minute.p50(), minute.p99(), minute.removed(), minute.hot(),
						minute.tables(), minute.indexes()));
			}
		}
		Chart chart = Chart.lines("Enqueue, run and retention at once, minute by minute", List.of(
				new Chart.Line("jobs a second", minutes.stream().map(Minute::rate).toList()),
				new Chart.Line("wait for the start, p99 ms", minutes.stream().map(Minute::p99).toList()),
				new Chart.Line("all tables and indexes, MB",
						minutes.stream().map((minute) -> minute.hot() + minute.tables() + minute.indexes()).toList())));
		return new Section(table + "\n%,d keyed requests a second; keys and finished jobs are kept for %d s."
			.formatted(RATE, KEPT.toSeconds()), chart);
	}

	/**
	 * What one minute was like.
	 *
	 * @param rate jobs that began, a second
	 * @param p50 the median of how long they had been due, in milliseconds
	 * @param p99 the same for the slowest hundredth
	 * @param removed jobs that were removed, a second
	 * @param hot the size of the table of live jobs, in megabytes
	 * @param tables the size of the other tables
	 * @param indexes the size of all indexes
	 */
	private record Minute(double rate, double p50, double p99, double removed, double hot, double tables,
			double indexes) {

	}

}
