package dev.workhorse.benchmarks;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Threads that call something at a steady rate together.
 */
final class Producers {

	/** One would wait for each of its commits. */
	private static final int THREADS = 4;

	private Producers() {
	}

	/**
	 * Begin to call.
	 * @param rate how often a second
	 * @param call what to call, with a number of its own each time
	 * @return the threads, to be shut down
	 */
	static ScheduledExecutorService start(int rate, LongConsumer call) {
		AtomicLong numbers = new AtomicLong();
		ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
		long period = TimeUnit.SECONDS.toNanos(1) * THREADS / rate;
		for (int i = 0; i < THREADS; i++) {
			ScheduledFuture<?> unused = threads.scheduleAtFixedRate(() -> call.accept(numbers.incrementAndGet()),
					i * period / THREADS, period, TimeUnit.NANOSECONDS);
		}
		return threads;
	}

}
