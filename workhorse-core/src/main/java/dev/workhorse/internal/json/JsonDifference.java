package dev.workhorse.internal.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * The places in which two JSON texts differ, as JSON pointers without any value.
 */
public final class JsonDifference {

	private static final JsonMapper MAPPER = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder()
				.maxNestingDepth(JsonCanonicalizer.MAX_DEPTH + 1)
				.maxStringLength(Integer.MAX_VALUE)
				.maxNameLength(Integer.MAX_VALUE)
				.maxNumberLength(Integer.MAX_VALUE)
				.build())
			.build())
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
		.build();

	private final int most;

	private final List<String> pointers = new ArrayList<>();

	private JsonDifference(int most) {
		this.most = most;
	}

	/**
	 * Compare two texts.
	 * @param left a JSON text
	 * @param right another one
	 * @param most how many places to report at the most
	 * @return the pointers in the order of the member names; the empty pointer stands for
	 * the whole text
	 */
	public static List<String> between(String left, String right, int most) {
		try {
			JsonDifference difference = new JsonDifference(most);
			difference.compare("", MAPPER.readTree(left), MAPPER.readTree(right));
			return List.copyOf(difference.pointers);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void compare(String pointer, JsonNode left, JsonNode right) {
		if (this.pointers.size() >= this.most) {
			return;
		}
		if (left.isObject() && right.isObject()) {
			TreeSet<String> names = new TreeSet<>();
			left.fieldNames().forEachRemaining(names::add);
			right.fieldNames().forEachRemaining(names::add);
			names.forEach((name) -> compareMember(pointer + "/" + JsonText.escapePointer(name), left.path(name),
					right.path(name)));
		}
		else if (left.isArray() && right.isArray()) {
			for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
				compareMember(pointer + "/" + i, left.path(i), right.path(i));
			}
		}
		else if (!sameValue(left, right)) {
			this.pointers.add(pointer);
		}
	}

	private void compareMember(String pointer, JsonNode left, JsonNode right) {
		if (left.isMissingNode() || right.isMissingNode()) {
			if (this.pointers.size() < this.most) {
				this.pointers.add(pointer);
			}
			return;
		}
		compare(pointer, left, right);
	}

	private static boolean sameValue(JsonNode left, JsonNode right) {
		if (left.isNumber() && right.isNumber()) {
			return left.decimalValue().compareTo(right.decimalValue()) == 0;
		}
		return left.equals(right);
	}

}
