package dev.workhorse.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

	private final Map<Case, Figures> rates = new LinkedHashMap<>();

	private final Map<Case, Usage> usages = new LinkedHashMap<>();

	private final Map<Case, Long> decisions = new LinkedHashMap<>();

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
		this.cases.add(new Case(name, threads, List.of(against), work));
		return this;
	}

	/**
	 * Run all cases: a round to warm up, then those that count.
	 */
	Comparison run() {
		round();
		forget();
		for (int round = 0; round < this.arguments.rounds(); round++) {
			round();
		}
		return this;
	}

	private void forget() {
		this.rates.clear();
		this.usages.clear();
		this.decisions.clear();
	}

	private void round() {
		this.beforeRound.run();
		for (Case measured : this.cases) {
			Usage before = Usage.read(this.database.jdbc());
			long start = System.nanoTime();
			long made = decisions(measured, start + this.arguments.each().toNanos());
			double seconds = (System.nanoTime() - start) / 1e9;
			Usage used = Usage.read(this.database.jdbc()).since(before);
			this.rates.computeIfAbsent(measured, (key) -> new Figures()).add(made / seconds);
			this.usages.merge(measured, used, Usage::plus);
			this.decisions.merge(measured, made, Long::sum);
		}
	}

	private static long decisions(Case measured, long deadline) {
		ExecutorService executor = Executors.newFixedThreadPool(measured.threads());
		try {
			Callable<Long> work = measured.work().perThread(measured.threads(), deadline);
			List<Future<Long>> running = new ArrayList<>();
			for (int i = 0; i < measured.threads(); i++) {
				running.add(executor.submit(work));
			}
			long decisions = 0;
			for (Future<Long> thread : running) {
				decisions += thread.get();
			}
			return decisions;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(measured.name(), ex);
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
		StringBuilder table = new StringBuilder("| what | threads | a second | ratio | WAL bytes | statements |\n")
			.append("|---|---|---|---|---|---|\n");
		for (Case measured : this.cases) {
			Usage used = figures(this.usages, measured);
			double made = Math.max(1, figures(this.decisions, measured));
			table.append(String.format(Locale.ROOT, "| %s | %d | %s | %s | %,.0f | %.2f |%n", measured.name(),
					measured.threads(), figures(this.rates, measured).spread(), ratios(measured),
					used.walBytes() / made, used.statements() / made));
		}
		return table.toString();
	}

	private String ratios(Case measured) {
		List<String> ratios = new ArrayList<>();
		for (String against : measured.against()) {
			for (Case other : this.cases) {
				if (other.name().equals(against) && other.threads() == measured.threads()) {
					ratios.add(figures(this.rates, measured).against(figures(this.rates, other)).ratio() + " of "
							+ other.name());
				}
			}
		}
		return String.join("<br>", ratios);
	}

	Chart chart(String title) {
		return Chart.bars(title,
				this.cases.stream()
					.map((measured) -> new Chart.Bar(measured.name() + ", threads: " + measured.threads(),
							figures(this.rates, measured).median(), !measured.against().isEmpty()))
					.toList());
	}

	private static <V> V figures(Map<Case, V> all, Case measured) {
		V found = all.get(measured);
		if (found == null) {
			throw new IllegalStateException("Not run: " + measured.name());
		}
		return found;
	}

	/**
	 * What is measured.
	 *
	 * @param name what it does
	 * @param threads how many threads do it
	 * @param against the names of those to compare with, at as many threads
	 * @param work what each thread does
	 */
	private record Case(String name, int threads, List<String> against, Work work) {

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
