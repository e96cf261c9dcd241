package dev.workhorse.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the pages together: links lead somewhere, every page is in the table of contents,
 * and what is to be short is short.
 */
class DocsPagesTests {

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\\n]*`");

	private static final int LONGEST_README = 150;

	private static final int LONGEST_DECISION = 60;

	static Stream<String> pages() {
		return Book.pages().stream().map(Book::name);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void relativeLinksLeadToPagesAndHeadings(String page) {
		Path file = Book.root().resolve(page);
		List<String> broken = links(Book.read(file)).stream().filter((link) -> !leadsSomewhere(file, link)).toList();
		assertThat(broken).isEmpty();
	}

	private static List<String> links(String page) {
		List<String> links = new ArrayList<>();
		Matcher link = LINK.matcher(withoutCode(page));
		while (link.find()) {
			if (!link.group(1).matches("[a-z]+:.*")) {
				links.add(link.group(1));
			}
		}
		return links;
	}

	private static String withoutCode(String page) {
		return CODE.matcher(page).replaceAll("");
	}

	private static boolean leadsSomewhere(Path from, String link) {
		String[] parts = link.split("#", 2);
		Path target = (parts[0].isEmpty()) ? from
				: Objects.requireNonNull(from.getParent()).resolve(parts[0]).normalize();
		return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
	}

	private static List<String> anchors(Path page) {
		return Book.read(page)
			.lines()
			.filter((line) -> line.matches("#+ .*"))
			.map((line) -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
			.map((title) -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
			.toList();
	}

	@Test
	void tableOfContentsNamesEveryPage() {
		Path contents = Book.root().resolve("docs/README.md");
		List<Path> linked = links(Book.read(contents)).stream()
			.map((link) -> contents.resolveSibling(link).normalize())
			.toList();
		assertThat(linked)
			.containsAll(Book.find("docs", ".md").stream().filter((page) -> !page.equals(contents)).toList());
	}

	@Test
	void readmeIsShort() {
		assertThat(Book.read(Book.root().resolve("README.md")).lines()).hasSizeLessThanOrEqualTo(LONGEST_README);
	}

	@Test
	void decisionsAreShort() {
		assertThat(Book.find("docs/decisions", ".md")).isNotEmpty()
			.allSatisfy((page) -> assertThat(Book.read(page).lines()).hasSizeLessThanOrEqualTo(LONGEST_DECISION));
	}

}
