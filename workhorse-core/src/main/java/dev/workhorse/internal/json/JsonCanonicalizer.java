package dev.workhorse.internal.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Brings JSON into the canonical form {@code v1} and refuses what {@code jsonb} cannot
 * carry, naming the place. Member order and white space do not count, array order does,
 * numbers count by value. The form is fixed for ever: fingerprints in the database depend
 * on it, and on nothing of how Jackson is configured elsewhere.
 */
public final class JsonCanonicalizer {

	/** Deepest nesting of objects and arrays. */
	public static final int MAX_DEPTH = 1_000;

	private static final JsonFactory FACTORY = JsonFactory.builder()
		.enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH)
			.maxNumberLength(Integer.MAX_VALUE)
			.maxStringLength(Integer.MAX_VALUE)
			.maxNameLength(Integer.MAX_VALUE)
			.build())
		.build();

	private final String field;

	private final int maxBytes;

	/**
	 * Create a canonicalizer.
	 * @param field what the JSON is, for messages: {@code payload} or {@code result}
	 * @param maxBytes the most UTF-8 bytes of JSON text, numbers counted in plain
	 * notation as PostgreSQL gives them back
	 */
	public JsonCanonicalizer(String field, int maxBytes) {
		this.field = field;
		this.maxBytes = maxBytes;
	}

	/**
	 * Check a text and bring it into its canonical form.
	 * @param json the text
	 * @return the canonical form
	 * @throws InvalidRequestException if PostgreSQL cannot carry it, or it is too large
	 */
	public String canonical(String json) {
		long bytes = utf8Length(json);
		checkSize(bytes);
		try (JsonParser parser = FACTORY.createParser(json)) {
			Reading reading = new Reading(parser);
			parser.nextToken();
			StringBuilder canonical = new StringBuilder(json.length());
			reading.value(canonical, null);
			checkSize(bytes + reading.expansion);
			if (parser.nextToken() != null) {
				throw invalid("one JSON value", "followed by more text");
			}
			if (Bounds.unpairedSurrogate(json) >= 0) {
				throw invalid("JSON without unpaired surrogates", "text with a pair of which one half is escaped");
			}
			return canonical.toString();
		}
		catch (JacksonException ex) {
			throw invalid("valid JSON at most %,d levels deep".formatted(MAX_DEPTH), ex.getOriginalMessage());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void checkSize(long bytes) {
		if (bytes > this.maxBytes) {
			throw new InvalidRequestException(this.field, "at most %,d bytes of JSON".formatted(this.maxBytes),
					"%,d bytes".formatted(bytes));
		}
	}

	private InvalidRequestException invalid(String bound, String found) {
		return new InvalidRequestException(this.field, bound, found);
	}

	private InvalidRequestException invalidAt(@Nullable Place place, String bound, String found) {
		return invalid(bound, found + ((place != null) ? " at '" + place.pointer() + "'" : " at the root"));
	}

	private static long utf8Length(String text) {
		long bytes = 0;
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			// the two halves of a surrogate pair make four bytes together
			bytes += (character < 0x80) ? 1 : (character < 0x800 || Character.isSurrogate(character)) ? 2 : 3;
		}
		return bytes;
	}

	/**
	 * The walk through one text.
	 */
	private final class Reading {

		private final JsonParser parser;

		private long expansion;

		private Reading(JsonParser parser) {
			this.parser = parser;
		}

		private void value(StringBuilder to, @Nullable Place place) throws IOException {
			JsonToken token = this.parser.currentToken();
			if (token == null) {
				throw invalid("one JSON value", "empty");
			}
			switch (token) {
				case START_OBJECT -> object(to, place);
				case START_ARRAY -> array(to, place);
				case VALUE_STRING -> JsonText.quote(checked(this.parser.getText(), place), to);
				case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(to, place);
				case VALUE_TRUE -> to.append("true");
				case VALUE_FALSE -> to.append("false");
				case VALUE_NULL -> to.append("null");
				default -> throw new IllegalStateException("Unexpected token " + token);
			}
		}

		private void object(StringBuilder to, @Nullable Place place) throws IOException {
			to.append('{');
			int start = to.length();
			List<Member> members = new ArrayList<>();
			boolean sorted = true;
			String last = null;
			while (this.parser.nextToken() == JsonToken.FIELD_NAME) {
				String name = this.parser.currentName();
				Place member = new Place(place, name);
				checked(name, member);
				if (last != null) {
					to.append(',');
					sorted &= last.compareTo(name) < 0;
				}
				last = name;
				int begin = to.length();
				JsonText.quote(name, to);
				to.append(':');
				this.parser.nextToken();
				value(to, member);
				members.add(new Member(name, begin, to.length()));
			}
			if (!sorted) {
				sort(to, start, members);
			}
			to.append('}');
		}

		private void sort(StringBuilder to, int start, List<Member> members) {
			// the last of duplicate members counts, as in jsonb
			TreeMap<String, String> sorted = new TreeMap<>();
			members.forEach((member) -> sorted.put(member.name(), to.substring(member.begin(), member.end())));
			to.setLength(start);
			to.append(String.join(",", sorted.values()));
		}

		private void array(StringBuilder to, @Nullable Place place) throws IOException {
			to.append('[');
			for (int i = 0; this.parser.nextToken() != JsonToken.END_ARRAY; i++) {
				if (i > 0) {
					to.append(',');
				}
				value(to, new Place(place, Integer.toString(i)));
			}
			to.append(']');
		}

		private void number(StringBuilder to, @Nullable Place place) throws IOException {
			String text = this.parser.getText();
			if (text.endsWith("NaN") || text.endsWith("Infinity") || text.endsWith("INF")) {
				throw invalidAt(place, "JSON", text);
			}
			CanonicalNumber number = CanonicalNumber.parse(text);
			if (number.plainDigits() > CanonicalNumber.MAX_DIGITS) {
				throw invalidAt(place, "JSON with numbers of at most %,d digits in plain notation"
					.formatted(CanonicalNumber.MAX_DIGITS), "a longer number");
			}
			this.expansion += Math.max(0, number.plainDigits() - text.length());
			to.append(number.text());
		}

		private String checked(String text, @Nullable Place place) {
			if (text.indexOf('\0') >= 0) {
				throw invalidAt(place, "JSON without NUL characters", "text with a NUL character");
			}
			if (Bounds.unpairedSurrogate(text) >= 0) {
				throw invalidAt(place, "JSON without unpaired surrogates", "text with an unpaired surrogate");
			}
			return text;
		}

	}

	/**
	 * A member of an object as it was written.
	 *
	 * @param name its name
	 * @param begin where its text begins
	 * @param end behind its text
	 */
	private record Member(String name, int begin, int end) {

	}

	/**
	 * A place in the text, written down only when needed.
	 *
	 * @param parent the enclosing place, {@code null} for the whole text
	 * @param name the member name or array index
	 */
	private record Place(@Nullable Place parent, String name) {

		String pointer() {
			StringBuilder pointer = new StringBuilder();
			for (Place place = this; place != null; place = place.parent()) {
				pointer.insert(0, "/" + JsonText.escapePointer(place.name()));
			}
			return pointer.toString();
		}

	}

}
