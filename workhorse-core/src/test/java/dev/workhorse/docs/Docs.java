package dev.workhorse.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The pages of the documentation.
 */
final class Docs {

	private Docs() {
	}

	/**
	 * Read a page.
	 * @param name its place below {@code docs}
	 * @return its text
	 */
	static String page(String name) {
		try {
			return Files.readString(root().resolve("docs").resolve(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = Objects.requireNonNull(directory.getParent(), "No mvnw above the working directory");
		}
		return directory;
	}

}
