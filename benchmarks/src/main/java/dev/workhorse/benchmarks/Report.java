package dev.workhorse.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The page that results are written into, each workload's between its own two markers.
 * What stands around them is written by people and stays.
 */
final class Report {

	private static final String END = "<!-- end -->";

	private final Path file;

	Report(Path file) {
		this.file = file;
	}

	void write(String name, Section section) throws IOException {
		String image = "";
		if (section.chart() != null) {
			String chart = "images/performance-" + name + ".svg";
			Path path = Objects.requireNonNull(this.file.toAbsolutePath().getParent()).resolve(chart);
			Files.createDirectories(Objects.requireNonNull(path.getParent()));
			Files.writeString(path, section.chart().svg());
			image = "\n![" + name + "](" + chart + ")\n";
		}
		String text = (Files.exists(this.file)) ? Files.readString(this.file) : "";
		Files.writeString(this.file, replace(text, name, section.markdown() + image));
	}

	/**
	 * Replace a block, or add it at the end.
	 */
	static String replace(String text, String name, String markdown) {
		String begin = "<!-- benchmark: " + name + " -->";
		String block = begin + "\n\n" + markdown.strip() + "\n\n" + END;
		int start = text.indexOf(begin);
		if (start < 0) {
			return text + "\n" + block + "\n";
		}
		int end = text.indexOf(END, start);
		if (end < 0) {
			throw new IllegalStateException("No '" + END + "' after '" + begin + "'");
		}
		return text.substring(0, start) + block + text.substring(end + END.length());
	}

}
