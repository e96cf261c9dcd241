package dev.workhorse.internal.observation;

import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The form in which the context of a trace is stored with a job.
 */
public final class TraceContext {

	/** Baggage may be long, and would be stored with every job. */
	private static final int MOST_CHARACTERS = 4_096;

	private static final ObjectMapper mapper = JsonMapper.builder().build();

	private TraceContext() {
	}

	/**
	 * Write a context.
	 * @param fields its fields
	 * @return the JSON text, or {@code null} if there are none, or if they are too long
	 * or cannot be stored
	 */
	public static @Nullable String write(Map<String, String> fields) {
		if (fields.isEmpty()) {
			return null;
		}
		ObjectNode json = JsonNodeFactory.instance.objectNode();
		fields.forEach(json::put);
		String text = json.toString();
		return (text.length() <= MOST_CHARACTERS && !text.contains("\\u0000")) ? text : null;
	}

	/**
	 * Read a context.
	 * @param json the stored text
	 * @return its fields
	 */
	public static Map<String, String> read(@Nullable String json) {
		if (json == null) {
			return Map.of();
		}
		try {
			Map<String, String> fields = new LinkedHashMap<>();
			JsonNode stored = mapper.readTree(json);
			stored.fieldNames().forEachRemaining((name) -> fields.put(name, stored.path(name).asText()));
			return fields;
		}
		catch (JsonProcessingException ex) {
			throw new IllegalStateException("The database keeps valid JSON only", ex);
		}
	}

}
