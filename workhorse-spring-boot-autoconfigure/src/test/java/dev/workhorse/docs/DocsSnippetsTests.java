package dev.workhorse.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the code in the pages to code that is compiled and run.
 */
class DocsSnippetsTests {

	private static final String SOURCE = """
			class Sample {
				// tag::call[]
				int one = 1;
				// end::call[]
				int two = 2;
				// tag::call[]
				int three = 3;
				// end::call[]
			}
			""";

	static Stream<String> pages() {
		return Book.pages().stream().map(Book::name);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void codeInAPageIsARegionOfACompiledSource(String page) {
		assertThat(Snippets.ofBuild().problems(Book.read(Book.root().resolve(page)))).isEmpty();
	}

	@Test
	void equalTextPassesWhateverItsIndentation(@TempDir Path directory) throws IOException {
		assertThat(problems(directory, "<!-- snippet: Sample.java#call -->", "int one = 1;\nint three = 3;")).isEmpty();
	}

	@Test
	void differentTextIsFound(@TempDir Path directory) throws IOException {
		assertThat(problems(directory, "<!-- snippet: Sample.java#call -->", "int one = 1;")).singleElement()
			.asString()
			.startsWith("line 2: differs from Sample.java#call");
	}

	@Test
	void codeWithoutASourceIsFound(@TempDir Path directory) throws IOException {
		assertThat(problems(directory, "", "int one = 1;")).singleElement()
			.asString()
			.startsWith("line 2: no <!-- snippet");
	}

	@Test
	void unknownTagIsFound(@TempDir Path directory) throws IOException {
		assertThat(problems(directory, "<!-- snippet: Sample.java#other -->", "int one = 1;"))
			.containsExactly("line 2: no region 'other' in Sample.java");
	}

	@Test
	void unknownSourceIsFound(@TempDir Path directory) throws IOException {
		assertThat(problems(directory, "<!-- snippet: Other.java#call -->", "int one = 1;"))
			.containsExactly("line 2: no source Other.java");
	}

	private static List<String> problems(Path directory, String before, String code) throws IOException {
		Path source = Files.writeString(directory.resolve("Sample.java"), SOURCE);
		return new Snippets(List.of(source)).problems(before + "\n```java\n" + code + "\n```\n");
	}

}
