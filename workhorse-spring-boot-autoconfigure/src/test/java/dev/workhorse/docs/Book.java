package dev.workhorse.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Finds the pages: the README and everything under {@code docs}.
 */
final class Book {

	private static final Path ROOT = findRoot();

	private Book() {
	}

	private static Path findRoot() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = Objects.requireNonNull(directory.getParent(), "No mvnw above the working directory");
		}
		return directory;
	}

	static Path root() {
		return ROOT;
	}

	static List<Path> pages() {
		Stream<Path> top = Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md").map(ROOT::resolve);
		return Stream.concat(top, find("docs", ".md").stream()).toList();
	}

	static List<Path> find(String directory, String suffix) {
		try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
			return files.filter((file) -> file.toString().endsWith(suffix)).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String name(Path file) {
		return ROOT.relativize(file).toString().replace('\\', '/');
	}

}
