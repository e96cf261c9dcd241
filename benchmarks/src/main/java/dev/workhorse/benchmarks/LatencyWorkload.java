package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.workhorse.testsupport.ChildJvm;

/**
 * How long it takes from the call that enqueues a job until its handler has begun.
 */
final class LatencyWorkload implements Workload {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration PAUSE = Duration.ofMillis(20);

	private static final int SAMPLES = 300;

	/** For what polls every few seconds. */
	private static final int SLOW_SAMPLES = 12;

	private static final int WARM_UP = 5_000;

	/** A node that gets single jobs runs other code than one that gets many. */
	private static final int WARM_UP_ONE_BY_ONE = 4_000;

	private static final int RATE = 1_000;

	@Override
	public String name() {
		return "latency";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		StringBuilder table = new StringBuilder("| who | when | jobs | p50 ms | p99 ms |\n|---|---|---|---|---|\n");
		try (Contender workhorse = new WorkhorseContender(database);
				Contender dbScheduler = new DbSchedulerContender(database);
				Contender jobRunr = new JobRunrContender(database)) {
			for (Contender contender : List.of(dbScheduler, jobRunr, workhorse)) {
				int samples = (contender == jobRunr) ? SLOW_SAMPLES : arguments.jobs(SAMPLES);
				List<Double> fromReturn = new ArrayList<>();
				row(table, contender, "idle, same JVM", oneByOne(contender, samples, fromReturn));
				row(table, contender, "idle, same JVM, from the return of the call", fromReturn);
			}
			for (Contender contender : List.of(dbScheduler, workhorse)) {
				row(table, contender, "at %,d a second, same JVM".formatted(RATE), underLoad(contender, arguments));
			}
			row(table, workhorse, "idle, other JVM", otherJvm(database, workhorse, arguments.jobs(SAMPLES)));
		}
		return new Section(table.toString(), null);
	}

	private static void row(StringBuilder table, Contender contender, String when, List<Double> millis) {
		table.append(String.format(Locale.ROOT, "| %s | %s | %,d | %.1f | %.1f |%n", contender.name(), when,
				millis.size(), Figures.percentile(millis, 0.5), Figures.percentile(millis, 0.99)));
	}

	private static List<Double> oneByOne(Contender contender, int samples, List<Double> fromReturn) {
		Map<Long, Long> begun = new ConcurrentHashMap<>();
		contender.start((number) -> begun.put(number, System.nanoTime()), (ended) -> {
		});
		warmUp(contender, begun, samples > SLOW_SAMPLES);
		List<Double> millis = new ArrayList<>();
		for (long number = -samples / 3; number < samples; number++) {
			long sent = System.nanoTime();
			contender.enqueue("latency-" + number, Payload.small(number));
			long returned = System.nanoTime();
			long start = await(begun, number);
			if (number >= 0) {
				millis.add((start - sent) / 1e6);
				fromReturn.add(Math.max(0, start - returned) / 1e6);
			}
			LockSupport.parkNanos(PAUSE.toNanos());
		}
		contender.stop();
		return millis;
	}

	/** A process that has run for a while is what counts. */
	private static void warmUp(Contender contender, Map<Long, Long> begun, boolean oneByOne) {
		for (int i = 0; i < WARM_UP; i++) {
			contender.enqueue("warm-up-" + i, Payload.small(WARM_UP + i));
		}
		for (int i = 0; i < WARM_UP; i++) {
			await(begun, WARM_UP + i);
		}
		for (int i = 0; oneByOne && i < WARM_UP_ONE_BY_ONE; i++) {
			contender.enqueue("single-" + i, Payload.small(2 * WARM_UP + i));
			await(begun, 2 * WARM_UP + i);
		}
	}

	private static long await(Map<Long, Long> begun, long number) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!begun.containsKey(number)) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("Job " + number + " was not begun");
			}
			LockSupport.parkNanos(100_000);
		}
		return begun.getOrDefault(number, 0L);
	}

	private static List<Double> underLoad(Contender contender, Arguments arguments) throws InterruptedException {
		Map<Long, Long> sent = new ConcurrentHashMap<>();
		List<Double> millis = Collections.synchronizedList(new ArrayList<>());
		long counts = System.nanoTime() + arguments.each().toNanos();
		contender.start((number) -> {
			long now = System.nanoTime();
			Long before = sent.remove(number);
			if (before != null && now > counts) {
				millis.add((now - before) / 1e6);
			}
		}, (ended) -> {
		});
		ScheduledExecutorService producers = Producers.start(RATE, (number) -> {
			sent.put(number, System.nanoTime());
			contender.enqueue("load-" + number, Payload.small(number));
		});
		TimeUnit.NANOSECONDS.sleep(arguments.each().toNanos() * 5);
		producers.shutdownNow();
		producers.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		contender.stop();
		return List.copyOf(millis);
	}

	/** A worker tells its latencies itself: both JVMs read the same clock. */
	private static List<Double> otherJvm(BenchmarkDatabase database, Contender contender, int samples) {
		try (ChildJvm worker = ChildJvm.of(LatencyNode.class).args(database.jdbcUrl()).start()) {
			worker.awaitLine("working", PATIENCE);
			for (int i = 0; i < WARM_UP + samples; i++) {
				contender.enqueue("other-" + i, Payload.small(LatencyNode.micros()));
				if (i >= WARM_UP) {
					LockSupport.parkNanos(PAUSE.toNanos());
				}
			}
			contender.enqueue("last", Payload.small(LatencyNode.LAST));
			String line = worker.awaitLine("micros", PATIENCE);
			List<Double> millis = new ArrayList<>();
			for (String micros : line.substring(line.indexOf(' ') + 1).split(",", -1)) {
				millis.add(Long.parseLong(micros) / 1e3);
			}
			return millis.subList(WARM_UP, millis.size());
		}
	}

}
