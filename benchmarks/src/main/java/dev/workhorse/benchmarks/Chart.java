package dev.workhorse.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A chart as SVG text, legible on light and on dark ground.
 */
final class Chart {

	private static final int WIDTH = 720;

	private static final int ROW = 26;

	private static final int LABELS = 300;

	private static final int PLOT_HEIGHT = 220;

	private static final List<String> COLOURS = List.of("#3b82f6", "#f59e0b", "#10b981", "#ef4444");

	private final String svg;

	private Chart(String svg) {
		this.svg = svg;
	}

	/**
	 * One horizontal bar for each value, the longest for the greatest.
	 */
	static Chart bars(String title, List<Bar> bars) {
		double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
		StringBuilder shapes = new StringBuilder();
		for (int i = 0; i < bars.size(); i++) {
			Bar bar = bars.get(i);
			int top = 40 + i * ROW;
			double width = Math.max(1, bar.value() / most * (WIDTH - LABELS - 90));
			text(shapes, LABELS - 8, top + 14, "end", bar.label());
			shapes.append(
					String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>%n",
							LABELS, top, width, COLOURS.get(bar.emphasised() ? 0 : 1)));
			text(shapes, (int) (LABELS + width + 6), top + 14, "start",
					String.format(Locale.ROOT, "%,.0f", bar.value()));
		}
		return new Chart(svg(title, 50 + bars.size() * ROW, shapes));
	}

	/**
	 * One line for each series over the same steps, each scaled to its own greatest
	 * value.
	 */
	static Chart lines(String title, List<Line> lines) {
		StringBuilder shapes = new StringBuilder();
		for (int i = 0; i < lines.size(); i++) {
			Line line = lines.get(i);
			double most = line.values().stream().mapToDouble((value) -> value).max().orElse(1);
			List<String> points = new ArrayList<>();
			for (int step = 0; step < line.values().size(); step++) {
				double x = 20 + (double) step / Math.max(1, line.values().size() - 1) * (WIDTH - 40);
				double y = 40 + PLOT_HEIGHT * (1 - line.values().get(step) / Math.max(most, Double.MIN_NORMAL) * 0.95);
				points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
			}
			String colour = COLOURS.get(i % COLOURS.size());
			shapes.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"%s\"/>%n".formatted(colour,
					String.join(" ", points)));
			int legend = 60 + PLOT_HEIGHT + i * 20;
			shapes.append("<rect x=\"20\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>%n".formatted(legend - 10,
					colour));
			text(shapes, 40, legend, "start", String.format(Locale.ROOT, "%s, at most %,.0f", line.label(), most));
		}
		return new Chart(svg(title, 70 + PLOT_HEIGHT + lines.size() * 20, shapes));
	}

	private static String svg(String title, int height, CharSequence shapes) {
		StringBuilder heading = new StringBuilder();
		text(heading, 20, 22, "start", title);
		return """
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d">
				<style>
				text { font: 13px sans-serif; fill: #374151 }
				@media (prefers-color-scheme: dark) { text { fill: #d1d5db } }
				</style>
				%3$s%4$s</svg>
				""".formatted(WIDTH, height, heading, shapes);
	}

	private static void text(StringBuilder to, int x, int y, String anchor, String text) {
		String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "");
		to.append("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n".formatted(x, y, anchor, escaped));
	}

	String svg() {
		return this.svg;
	}

	/**
	 * A value to draw.
	 *
	 * @param label what it is
	 * @param value how much
	 * @param emphasised whether it is Workhorse's
	 */
	record Bar(String label, double value, boolean emphasised) {

	}

	/**
	 * Values over time.
	 *
	 * @param label what they are
	 * @param values one for each step
	 */
	record Line(String label, List<Double> values) {

	}

}
