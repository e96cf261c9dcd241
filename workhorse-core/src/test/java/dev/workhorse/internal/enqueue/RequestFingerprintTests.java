package dev.workhorse.internal.enqueue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOptions.Schedulable;
import dev.workhorse.Idempotency;
import dev.workhorse.RetryPolicy;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pins the fingerprints of requests, form {@code v1}. The vectors were made by another
 * implementation and are data: <strong>if this test fails, do not update them</strong>.
 * Users' databases hold fingerprints of this form, and a repeat that hashes differently
 * is compared field by field at best and refused as a conflict at worst. A different form
 * needs another name and must leave this one readable.
 */
class RequestFingerprintTests {

	private static final ObjectMapper MAPPER = new ObjectMapper();

	static Stream<JsonNode> vectors() throws IOException {
		try (InputStream file = RequestFingerprintTests.class.getResourceAsStream("canonical-v1-vectors.json")) {
			return StreamSupport.stream(MAPPER.readTree(file).spliterator(), false).toList().stream();
		}
	}

	@ParameterizedTest
	@MethodSource("vectors")
	void fingerprintsNeverChange(JsonNode vector) {
		assertThat(fingerprint(new Verbatim(), vector.path("type").textValue(), vector.path("payload").textValue(),
				options(vector)))
			.as("Fingerprint of '%s'; keys in users' databases depend on it", vector.path("name").textValue())
			.isEqualTo(vector.path("fingerprint").textValue());
	}

	@Test
	void thereAreVectorsForEveryField() throws IOException {
		assertThat(vectors()).hasSizeGreaterThanOrEqualTo(20);
		assertThat(vectors().map((vector) -> vector.path("fingerprint").textValue()).distinct())
			.hasSizeGreaterThanOrEqualTo(15);
	}

	@Test
	void writersOfDifferentStyleMakeOneFingerprint() {
		// H11 (kagkarlsson/db-scheduler#777, dbos-java#378)
		Map<String, Object> payload = new LinkedHashMap<>();
		payload.put("text", "é😀/\u2028");
		payload.put("amount", new BigDecimal("1000.00"));
		payload.put("exponent", new BigDecimal("1E+3"));
		payload.put("at", Instant.parse("2031-02-03T04:05:06.789Z"));
		payload.put("day", Duration.ofHours(25));
		payload.put("nested", new Order(7, Kind.EXPRESS, List.of("a", "b")));
		Schedulable options = EnqueueOptions.idempotencyKey("k");
		String expected = fingerprint(new Jackson2PayloadCodec(), "type", payload, options);
		assertThat(fingerprint(new Jackson2PayloadCodec(otherStyle()), "type", payload, options)).isEqualTo(expected);
		assertThat(fingerprint(new Verbatim(), "type", """
				{"nested":{"tags":["a","b"],"kind":"EXPRESS","id":7.0},"day":"PT25H","at":"2031-02-03T04:05:06.789Z",
				 "exponent":1000,"amount":1e3,"text":"\\u00e9\\ud83d\\ude00\\/\\u2028"}
				""", options)).isEqualTo(expected);
	}

	private static ObjectMapper otherStyle() {
		return JsonMapper.builder()
			.addModule(new JavaTimeModule())
			.enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
			.enable(JsonWriteFeature.ESCAPE_NON_ASCII)
			.enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
			.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.build();
	}

	private static String fingerprint(PayloadCodec codec, String type, Object payload, EnqueueOptions options) {
		JobRequest request = new RequestReader(EnqueueSettings.DEFAULTS, codec, new KeyHasher(null)).read(type, payload,
				options);
		return HexFormat.of().formatHex(request.content().fingerprint());
	}

	private static Schedulable options(JsonNode vector) {
		Idempotency idempotency = Idempotency.key("any key, it does not count");
		if (vector.has("ttl")) {
			idempotency = idempotency.ttl(Duration.parse(vector.path("ttl").textValue()));
		}
		Schedulable options = EnqueueOptions.idempotency(idempotency);
		if (vector.has("queue")) {
			options = options.queue(vector.path("queue").textValue());
		}
		if (vector.has("priority")) {
			options = options.priority(vector.path("priority").intValue());
		}
		if (vector.has("tags")) {
			options = options.tags(StreamSupport.stream(vector.path("tags").spliterator(), false)
				.map(JsonNode::textValue)
				.toArray(String[]::new));
		}
		if (vector.has("maxAttempts")) {
			options = options.maxAttempts(vector.path("maxAttempts").intValue());
		}
		if (vector.has("retryPolicy")) {
			options = options.retryPolicy(RetryPolicy.parse(vector.path("retryPolicy").textValue()));
		}
		if (vector.has("runAt")) {
			options = options.runAt(Instant.parse(vector.path("runAt").textValue()));
		}
		return options;
	}

	/**
	 * Takes JSON text as the payload.
	 */
	private static final class Verbatim implements PayloadCodec {

		@Override
		public String write(Object value) {
			return (String) value;
		}

		@Override
		public Object read(String json, Type type) {
			return json;
		}

	}

	record Order(int id, Kind kind, List<String> tags) {

	}

	enum Kind {

		EXPRESS

	}

}
