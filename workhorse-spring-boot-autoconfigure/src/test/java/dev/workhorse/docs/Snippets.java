package dev.workhorse.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the Java code of a page with the tagged regions of compiled sources. A block
 * says where it comes from in the line before it: {@code <!-- snippet: Foo.java#tag -->}.
 * Several regions with one tag are one snippet; indentation does not count.
 */
final class Snippets {

	private static final Pattern SOURCE = Pattern.compile("<!-- snippet: ([A-Za-z]+\\.java)#([a-z-]+) -->");

	private static final Pattern TAG = Pattern.compile("\\s*// (tag|end)::([a-z-]+)\\[]\\s*");

	private final Map<String, Path> sources;

	Snippets(List<Path> sources) {
		this.sources = new TreeMap<>();
		sources.forEach((source) -> this.sources.put(source.getFileName().toString(), source));
	}

	/**
	 * The sources of this build that may hold snippets.
	 */
	static Snippets ofBuild() {
		List<Path> sources = new ArrayList<>();
		for (String module : List.of("workhorse-core", "workhorse-spring-boot-autoconfigure")) {
			String directory = module + "/src/test/java/dev/workhorse/docs";
			if (Files.isDirectory(Book.root().resolve(directory))) {
				sources.addAll(Book.find(directory, ".java"));
			}
		}
		return new Snippets(sources);
	}

	/**
	 * Check a page.
	 * @return what is wrong, in the order of the page
	 */
	List<String> problems(String page) {
		List<String> problems = new ArrayList<>();
		List<String> lines = page.lines().toList();
		for (int i = 0; i < lines.size(); i++) {
			if (lines.get(i).strip().matches("```(java|kotlin|groovy)\\b.*")) {
				int end = i + 1;
				while (end < lines.size() && !lines.get(end).strip().equals("```")) {
					end++;
				}
				String before = (i > 0) ? lines.get(i - 1).strip() : "";
				String place = "line " + (i + 1) + ": ";
				check(before, lines.subList(i + 1, end)).ifPresent((problem) -> problems.add(place + problem));
				i = end;
			}
		}
		return problems;
	}

	private Optional<String> check(String before, List<String> block) {
		Matcher source = SOURCE.matcher(before);
		if (!source.matches()) {
			return Optional.of("no <!-- snippet: File.java#tag --> in the line before the code");
		}
		Path file = this.sources.get(source.group(1));
		if (file == null) {
			return Optional.of("no source " + source.group(1));
		}
		List<String> region = region(Book.read(file), source.group(2));
		if (region.isEmpty()) {
			return Optional.of("no region '%s' in %s".formatted(source.group(2), source.group(1)));
		}
		String expected = unindented(region);
		return (expected.equals(unindented(block))) ? Optional.empty() : Optional
			.of("differs from %s#%s, which reads%n%s".formatted(source.group(1), source.group(2), expected));
	}

	private static List<String> region(String source, String tag) {
		List<String> region = new ArrayList<>();
		boolean inside = false;
		for (String line : source.lines().toList()) {
			Matcher matcher = TAG.matcher(line);
			if (!matcher.matches()) {
				if (inside) {
					region.add(line);
				}
			}
			else if (matcher.group(2).equals(tag)) {
				inside = matcher.group(1).equals("tag");
			}
		}
		return region;
	}

	private static String unindented(List<String> lines) {
		return String.join("\n", lines).stripIndent().strip();
	}

}
