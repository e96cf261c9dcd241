package dev.workhorse.performance;

import java.time.Duration;
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

import org.jspecify.annotations.Nullable;

/**
 * Runs cases in turn, round after round, so that a noisy minute hits all of them alike,
 * and compares each with its baseline within the same round.
 */
final class Comparison {

	private final List<Case> cases;

	private final Runnable beforeRound;

	private final Map<Case, List<Double>> rates = new LinkedHashMap<>();

	Comparison(List<Case> cases, Runnable beforeRound) {
		this.cases = cases;
		this.beforeRound = beforeRound;
		forget();
	}

	static Work repeat(IntSupplier decision) {
		return (threads, deadline) -> () -> {
			long decisions = 0;
			while (System.nanoTime() < deadline) {
				decisions += decision.getAsInt();
			}
			return decisions;
		};
	}

	void forget() {
		this.cases.forEach((measured) -> this.rates.put(measured, new ArrayList<>()));
	}

	void run(int rounds, Duration each) {
		for (int round = 0; round < rounds; round++) {
			this.beforeRound.run();
			this.cases.forEach((measured) -> this.rates.get(measured).add(rate(measured, each)));
		}
	}

	private static double rate(Case measured, Duration each) {
		ExecutorService executor = Executors.newFixedThreadPool(measured.threads());
		try {
			long start = System.nanoTime();
			Callable<Long> work = measured.work().perThread(measured.threads(), start + each.toNanos());
			List<Future<Long>> running = new ArrayList<>();
			for (int i = 0; i < measured.threads(); i++) {
				running.add(executor.submit(work));
			}
			long decisions = 0;
			for (Future<Long> thread : running) {
				decisions += thread.get();
			}
			return decisions * 1e9 / (System.nanoTime() - start);
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(measured.name(), ex);
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * The medians, and of the ratios also the lowest and the highest.
	 * @return a table in Markdown
	 */
	String table() {
		StringBuilder table = new StringBuilder("| what | threads | a second | against | ratio | of all rounds |\n")
			.append("|---|---|---|---|---|---|\n");
		for (Case measured : this.cases) {
			List<Double> ratios = ratios(measured);
			String ratio = (ratios.isEmpty()) ? "| |" : String.format(Locale.ROOT, "**%.2f** | %.2f–%.2f |",
					median(ratios), ratios.get(0), ratios.get(ratios.size() - 1));
			table.append(String.format(Locale.ROOT, "| %s | %d | %,.0f | %s | %s%n", measured.name(),
					measured.threads(), median(sorted(this.rates.get(measured))),
					(measured.against() != null) ? measured.against() : "", ratio));
		}
		return table.toString();
	}

	private List<Double> ratios(Case measured) {
		List<Double> ratios = new ArrayList<>();
		for (Case baseline : this.cases) {
			if (baseline.name().equals(measured.against()) && baseline.threads() == measured.threads()) {
				for (int i = 0; i < this.rates.get(measured).size(); i++) {
					ratios.add(this.rates.get(measured).get(i) / this.rates.get(baseline).get(i));
				}
			}
		}
		return sorted(ratios);
	}

	private static List<Double> sorted(List<Double> values) {
		return values.stream().sorted().toList();
	}

	private static double median(List<Double> sorted) {
		return sorted.get(sorted.size() / 2);
	}

	/**
	 * What is measured.
	 *
	 * @param name what it does
	 * @param threads how many threads do it
	 * @param against the name of the case to compare with, at as many threads
	 * @param work what each thread does
	 */
	record Case(String name, int threads, @Nullable String against, Work work) {

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
