package dev.workhorse.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds {@code docs/reference/properties.md} to the metadata of the properties. When it
 * fails, its message contains the table to put there.
 */
class PropertiesDocsTests {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	@Test
	void pageHasTheTableOfTheMetadata() throws IOException {
		assertThat(Book.read(Book.root().resolve("docs/reference/properties.md"))).contains(table());
	}

	private static String table() throws IOException {
		return metadata().stream()
			.flatMap((metadata) -> StreamSupport.stream(metadata.path("properties").spliterator(), false))
			.filter((property) -> property.path("name")
				.asText()
				.matches("(management\\.(endpoint|health)\\.)?workhorse\\..*"))
			.map(PropertiesDocsTests::row)
			.sorted()
			.collect(Collectors.joining("\n", "| property | type | default | meaning |\n|---|---|---|---|\n", "\n"));
	}

	private static List<JsonNode> metadata() throws IOException {
		ObjectMapper mapper = new ObjectMapper();
		List<JsonNode> files = new ArrayList<>();
		for (URL url : Collections.list(PropertiesDocsTests.class.getClassLoader().getResources(METADATA))) {
			try (InputStream stream = url.openStream()) {
				files.add(mapper.readTree(stream));
			}
		}
		return files;
	}

	private static String row(JsonNode property) {
		String value = property.path("defaultValue").asText();
		String description = property.path("description").asText();
		String meaning = description.substring(0, 1).toUpperCase(Locale.ROOT) + description.substring(1);
		return "| `%s` | `%s` | %s | %s |".formatted(property.path("name").asText(), type(property),
				(value.isEmpty()) ? "" : "`" + value + "`", meaning.replaceAll("\\.$", "") + ".");
	}

	private static String type(JsonNode property) {
		return property.path("type").asText().replaceAll("[a-z.]+\\.(?:[A-Za-z]+\\$)?", "");
	}

}
