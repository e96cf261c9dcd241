package dev.workhorse.internal.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A statement among the resources, and what loads it.
 *
 * @param path the file
 * @param loads the constants that load it, as {@code owner NAME}
 */
record SqlFile(Path path, List<String> loads) {

	private static final Path RESOURCES = Path.of("src/main/resources");

	private static final Path SOURCES = Path.of("src/main/java");

	private static final Pattern CONSTANT = Pattern.compile(
			"private static final SqlStatement (\\w+) = SqlStatement\\s*\\.load\\((\\w+)\\.class,\\s*\"([^\"]+)\"\\s*\\)");

	static List<SqlFile> all() {
		List<Path> sources = files(SOURCES, ".java");
		return files(RESOURCES.resolve("dev/workhorse/internal"), ".sql").stream()
			.map((path) -> new SqlFile(path, loads(path, sources)))
			.toList();
	}

	private static List<String> loads(Path file, List<Path> sources) {
		Path directory = SOURCES.resolve(RESOURCES.relativize(file.getParent()));
		return sources.stream()
			.filter((source) -> source.getParent().equals(directory))
			.flatMap((source) -> CONSTANT.matcher(read(source)).results())
			.filter((constant) -> constant.group(3).equals(file.getFileName().toString()))
			.map((constant) -> constant.group(2) + " " + constant.group(1))
			.toList();
	}

	static long constants() {
		return files(SOURCES, ".java").stream()
			.flatMap((source) -> Pattern.compile("SqlStatement\\s*\\.load\\(").matcher(read(source)).results())
			.map(MatchResult::group)
			.count();
	}

	String constantName() {
		String name = this.path.getFileName().toString();
		return name.substring(0, name.length() - ".sql".length()).replace('-', '_').toUpperCase(Locale.ROOT);
	}

	String text() {
		return read(this.path);
	}

	SqlStatement statement() {
		Path folder = RESOURCES.relativize(this.path.getParent());
		String load = this.loads.get(0);
		String owner = folder.toString().replace('/', '.') + "." + load.substring(0, load.indexOf(' '));
		try {
			return SqlStatement.load(Class.forName(owner), this.path.getFileName().toString());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<Path> files(Path root, String ending) {
		try (Stream<Path> walk = Files.walk(root)) {
			return walk.filter((path) -> path.toString().endsWith(ending)).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return RESOURCES.relativize(this.path).toString();
	}

}
