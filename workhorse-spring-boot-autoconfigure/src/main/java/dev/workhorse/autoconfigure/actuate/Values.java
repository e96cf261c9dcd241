package dev.workhorse.autoconfigure.actuate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/**
 * What applications put into jobs: payloads, results and the messages of exceptions. It
 * is shown only to those who may see it, and each value of it only as the application's
 * {@link SanitizingFunction}s leave it, which are given its path as the key, such as
 * {@code payload.card.number}.
 */
final class Values {

	private static final ObjectMapper mapper = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private final Sanitizer sanitizer;

	private final boolean shown;

	Values(Iterable<SanitizingFunction> sanitizingFunctions, boolean shown) {
		this.sanitizer = new Sanitizer(sanitizingFunctions);
		this.shown = shown;
	}

	@Nullable Object json(String path, @Nullable String json) {
		if (json == null || !this.shown) {
			return text(path, json);
		}
		try {
			return sanitized(path, mapper.readValue(json, Object.class));
		}
		catch (JsonProcessingException ex) {
			throw new IllegalStateException("The database keeps valid JSON only", ex);
		}
	}

	@Nullable Object text(String path, @Nullable String value) {
		return (value != null) ? this.sanitizer.sanitize(new SanitizableData(null, path, value), this.shown) : null;
	}

	private @Nullable Object sanitized(String path, @Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<String, @Nullable Object> result = new LinkedHashMap<>();
			map.forEach((name, member) -> result.put(String.valueOf(name), sanitized(path + "." + name, member)));
			return result;
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> result = new ArrayList<>();
			for (int i = 0; i < list.size(); i++) {
				result.add(sanitized(path + "[" + i + "]", list.get(i)));
			}
			return result;
		}
		return this.sanitizer.sanitize(new SanitizableData(null, path, value), true);
	}

}
