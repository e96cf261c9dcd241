package dev.workhorse.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The values that one thing had in the rounds of a run, in their order.
 */
final class Figures {

	private final List<Double> values = new ArrayList<>();

	void add(double value) {
		this.values.add(value);
	}

	/**
	 * The middle value, or the mean of the two in the middle.
	 */
	double median() {
		List<Double> sorted = this.values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	static double percentile(Collection<Double> values, double share) {
		List<Double> sorted = values.stream().sorted().toList();
		return sorted.get((int) Math.min(sorted.size() - 1, (long) (sorted.size() * share)));
	}

	/**
	 * How these compare with others, round by round.
	 */
	Figures against(Figures other) {
		Figures ratios = new Figures();
		for (int i = 0; i < Math.min(this.values.size(), other.values.size()); i++) {
			ratios.add(this.values.get(i) / other.values.get(i));
		}
		return ratios;
	}

	/**
	 * The median of ratios, and the lowest and the highest.
	 */
	String ratio() {
		return String.format(Locale.ROOT, "**%.2f** (%.2f–%.2f)", median(), percentile(this.values, 0),
				percentile(this.values, 1));
	}

	/**
	 * The median of numbers, and the lowest and the highest.
	 */
	String spread() {
		return "%s (%s–%s)".formatted(number(median()), number(percentile(this.values, 0)),
				number(percentile(this.values, 1)));
	}

	static String number(double value) {
		return String.format(Locale.ROOT, "%,.0f", value);
	}

}
