package dev.workhorse.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;

/**
 * Runs cases in turn, round after round, so that a noisy minute hits all of them alike,
 * and compares each with others of the same round.
 */
final class Comparison {

	private final BenchmarkDatabase database;

	private final Arguments arguments;

	private final Runnable beforeRound;

	private final List<Case> cases = new ArrayList<>();

	Comparison(BenchmarkDatabase database, Arguments arguments, Runnable beforeRound) {
		this.database = database;
		this.arguments = arguments;
		this.beforeRound = beforeRound;
	}

	/**
	 * Add a case that every thread repeats until the time is over.
	 * @param against the names of those to compare with, at as many threads
	 */
	Comparison add(String name, int threads, IntSupplier decision, String... against) {
		return add(name, threads, (ignored, deadline) -> () -> {
			long decisions = 0;
			while (System.nanoTime() < deadline) {
				decisions += decision.getAsInt();
			}
			return decisions;
		}, against);
	}

	Comparison add(String name, int threads, Work work, String... against) {
		return add(new Case(name, threads, List.of(against), work, () -> {
		}));
	}

	/**
	 * Add a case with something to do before it, each time.
	 */
	Comparison add(String name, int threads, Work work, Runnable before) {
		return add(new Case(name, threads, List.of(), work, before));
	}

	private Comparison add(Case added) {
		this.cases.add(added);
		return this;
	}

	/**
	 * Run all cases: some rounds to warm up, then those that count.
	 */
	Comparison run() {
		for (int round = 0; round < this.arguments.warmUp(); round++) {
			round();
		}
		this.cases.forEach(Case::forget);
		for (int round = 0; round < this.arguments.rounds(); round++) {
			round();
		}
		return this;
	}

	private void round() {
		this.beforeRound.run();
		for (Case measured : this.cases) {
			measured.before.run();
			Usage before = Usage.read(this.database.jdbc());
			long start = System.nanoTime();
			long made = decisions(measured, start + this.arguments.each().toNanos());
			double seconds = (System.nanoTime() - start) / 1e9;
			Usage used = Usage.read(this.database.jdbc()).since(before);
			measured.add(made, made / seconds, used);
		}
	}

	private static long decisions(Case measured, long deadline) {
		ExecutorService executor = Executors.newFixedThreadPool(measured.threads);
		try {
			Callable<Long> work = measured.work.perThread(measured.threads, deadline);
			List<Future<Long>> running = new ArrayList<>();
			for (int i = 0; i < measured.threads; i++) {
				running.add(executor.submit(work));
			}
			long decisions = 0;
			for (Future<Long> thread : running) {
				decisions += thread.get();
			}
			return decisions;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(measured.name, ex);
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * The medians, with the lowest and the highest of all rounds.
	 * @return a table in Markdown
	 */
	String table() {
		StringBuilder table = new StringBuilder(
				"| what | threads | a second | ratio | WAL bytes | statements | round trips |\n")
			.append("|---|---|---|---|---|---|---|\n");
		for (Case measured : this.cases) {
			table.append("| %s | %d | %s | %s | %s |%n".formatted(measured.name, measured.threads,
					measured.rates.spread(), ratios(measured), measured.used.perEach(measured.decisions)));
		}
		return table.toString();
	}

	private String ratios(Case measured) {
		List<String> ratios = new ArrayList<>();
		for (String against : measured.against) {
			for (Case other : this.cases) {
				if (other.name.equals(against) && other.threads == measured.threads) {
					ratios.add(measured.rates.against(other.rates).ratio() + " of " + other.name);
				}
			}
		}
		return String.join("<br>", ratios);
	}

	Chart chart(String title) {
		return Chart.bars(title,
				this.cases.stream()
					.map((measured) -> new Chart.Bar(measured.name + ", threads: " + measured.threads,
							measured.rates.median(), !measured.against.isEmpty()))
					.toList());
	}

	/**
	 * What is measured, and what was found.
	 */
	private static final class Case {

		private final String name;

		private final int threads;

		private final List<String> against;

		private final Work work;

		private final Runnable before;

		private Figures rates = new Figures();

		private Usage used = Usage.NONE;

		private long decisions;

		private Case(String name, int threads, List<String> against, Work work, Runnable before) {
			this.name = name;
			this.threads = threads;
			this.against = against;
			this.work = work;
			this.before = before;
		}

		private void add(long made, double rate, Usage usage) {
			this.rates.add(rate);
			this.used = this.used.plus(usage);
			this.decisions += made;
		}

		private void forget() {
			this.rates = new Figures();
			this.used = Usage.NONE;
			this.decisions = 0;
		}

	}

	/**
	 * Prepares what each thread does until a deadline: it returns how many decisions it
	 * made.
	 */
	@FunctionalInterface
	interface Work {

		Callable<Long> perThread(int threads, long deadline);

	}

}
