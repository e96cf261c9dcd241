package dev.workhorse.testsupport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Runs a task in several threads that start at the same moment and collects what came of
 * each.
 */
public final class Race {

	private final int threads;

	private final Duration timeout;

	private Race(int threads, Duration timeout) {
		this.threads = threads;
		this.timeout = timeout;
	}

	/**
	 * Prepares a race that fails after 60 seconds.
	 * @param threads how many threads take part
	 * @return the race
	 */
	public static Race of(int threads) {
		return new Race(threads, Duration.ofSeconds(60));
	}

	public Race withTimeout(Duration timeout) {
		return new Race(this.threads, timeout);
	}

	/**
	 * Runs the same task in every thread.
	 * @param <T> what the task returns
	 * @param task the task
	 * @return the outcomes, in the order of the threads
	 */
	public <T extends @Nullable Object> Outcomes<T> run(Callable<T> task) {
		return run((thread) -> task.call());
	}

	/**
	 * Runs a task that is told which thread it is in. Fails with a thread dump when the
	 * timeout passes.
	 * @param <T> what the task returns
	 * @param task the task
	 * @return the outcomes, in the order of the threads
	 */
	public <T extends @Nullable Object> Outcomes<T> run(Task<T> task) {
		CyclicBarrier barrier = new CyclicBarrier(this.threads);
		List<FutureTask<Outcome<T>>> runs = new ArrayList<>();
		List<Thread> racers = new ArrayList<>();
		for (int i = 0; i < this.threads; i++) {
			int index = i;
			FutureTask<Outcome<T>> run = new FutureTask<>(() -> {
				barrier.await();
				return attempt(task, index);
			});
			Thread racer = new Thread(run, "race-" + index);
			racer.setDaemon(true);
			runs.add(run);
			racers.add(racer);
		}
		racers.forEach(Thread::start);
		return collect(runs, racers);
	}

	/**
	 * Repeats the race.
	 * @param <T> what the task returns
	 * @param rounds how often
	 * @param taskOfRound prepares a round, numbered from 0, and returns its task
	 * @return the outcomes of each round
	 */
	public <T extends @Nullable Object> List<Outcomes<T>> rounds(int rounds, IntFunction<Task<T>> taskOfRound) {
		List<Outcomes<T>> outcomes = new ArrayList<>();
		for (int round = 0; round < rounds; round++) {
			outcomes.add(run(taskOfRound.apply(round)));
		}
		return List.copyOf(outcomes);
	}

	private static <T extends @Nullable Object> Outcome<T> attempt(Task<T> task, int index) {
		try {
			return new Outcome<>(index, task.run(index), null);
		}
		catch (Throwable ex) {
			return new Outcome<>(index, null, ex);
		}
	}

	private <T extends @Nullable Object> Outcomes<T> collect(List<FutureTask<Outcome<T>>> runs, List<Thread> racers) {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		List<Outcome<T>> outcomes = new ArrayList<>();
		try {
			for (FutureTask<Outcome<T>> run : runs) {
				outcomes.add(run.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
			}
			return new Outcomes<>(List.copyOf(outcomes));
		}
		catch (TimeoutException ex) {
			AssertionError failure = new AssertionError("Race not over within " + this.timeout + "\n" + threadDump(),
					ex);
			racers.forEach(Thread::interrupt);
			throw failure;
		}
		catch (Exception ex) {
			racers.forEach(Thread::interrupt);
			throw new IllegalStateException("Race broken off", ex);
		}
	}

	private static String threadDump() {
		StringBuilder dump = new StringBuilder();
		for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
			dump.append(entry.getKey()).append(' ').append(entry.getKey().getState()).append('\n');
			for (StackTraceElement frame : entry.getValue()) {
				dump.append("\tat ").append(frame).append('\n');
			}
		}
		return dump.toString();
	}

	/**
	 * What one thread does.
	 *
	 * @param <T> what it returns
	 */
	@FunctionalInterface
	public interface Task<T extends @Nullable Object> {

		T run(int thread) throws Exception;

	}

	/**
	 * What came of one thread: a value or a failure.
	 *
	 * @param <T> the type of the value
	 * @param thread the number of the thread, from 0
	 * @param value what the task returned; null, too, if it failed
	 * @param failure what the task threw, or null
	 */
	public record Outcome<T extends @Nullable Object>(int thread, @Nullable T value, @Nullable Throwable failure) {

	}

	/**
	 * What came of all threads.
	 *
	 * @param <T> the type of the values
	 * @param all one outcome per thread, in order
	 */
	public record Outcomes<T extends @Nullable Object>(List<Outcome<T>> all) {

		/**
		 * The values of the threads that did not fail, in order.
		 * @return the values, without null
		 */
		public List<T> values() {
			List<T> values = new ArrayList<>();
			for (Outcome<T> outcome : this.all) {
				T value = outcome.value();
				if (value != null) {
					values.add(value);
				}
			}
			return values;
		}

		public List<Throwable> failures() {
			return this.all.stream().map(Outcome::failure).filter(Objects::nonNull).toList();
		}

		public int size() {
			return this.all.size();
		}

	}

}
