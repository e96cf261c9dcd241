package dev.workhorse.internal.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * JSON values as plain objects, and ways to spell each of them as text.
 */
final class JsonSamples {

	/** Stands for the JSON null. */
	static final Object NULL = Void.TYPE;

	private static final BigInteger LARGEST = BigInteger.TEN.pow(40);

	private JsonSamples() {
	}

	static Arbitrary<Object> values() {
		return Arbitraries.recursive(JsonSamples::leaves, JsonSamples::nest, 0, 3);
	}

	private static Arbitrary<Object> leaves() {
		return Arbitraries.oneOf(Arbitraries.of(NULL, true, false), texts().map((text) -> (Object) text),
				numbers().map((number) -> (Object) number));
	}

	private static Arbitrary<Object> nest(Arbitrary<Object> inner) {
		return Arbitraries.oneOf(inner.list().ofMaxSize(4).map((list) -> (Object) list),
				Arbitraries.maps(texts(), inner).ofMaxSize(4).map((map) -> (Object) new TreeMap<>(map)));
	}

	static Arbitrary<String> texts() {
		return Arbitraries.oneOf(
				Arbitraries.of("", "a", "b", "é", "e\u0301", "😀", "\uD834\uDD1E", "\"", "\\", "/", "~"),
				Arbitraries.strings()
					.withCharRange('\u0001', '\uD7FF')
					.withCharRange('\uE000', '\uFFFF')
					.ofMaxLength(8));
	}

	static Arbitrary<BigDecimal> numbers() {
		Arbitrary<BigDecimal> any = Combinators
			.combine(Arbitraries.bigIntegers().between(LARGEST.negate(), LARGEST),
					Arbitraries.integers().between(-30, 30))
			.as(BigDecimal::new);
		return Arbitraries.oneOf(any,
				Arbitraries.of("0", "1", "-1", "9007199254740993", "0.1", "1e300").map(BigDecimal::new));
	}

	/**
	 * What two texts must have in common to be the same request.
	 */
	static Object meaning(Object value) {
		if (value instanceof BigDecimal number) {
			return (number.signum() != 0) ? number.stripTrailingZeros() : BigDecimal.ZERO;
		}
		if (value instanceof List<?> list) {
			return list.stream().map(JsonSamples::meaning).toList();
		}
		if (value instanceof Map<?, ?> map) {
			TreeMap<Object, Object> meanings = new TreeMap<>();
			map.forEach((name, member) -> meanings.put(name, meaning(member)));
			return meanings;
		}
		return value;
	}

	/**
	 * Spells a value in one of many ways.
	 */
	static String spell(Object value, Random random) {
		String text;
		if (value instanceof List<?> list) {
			text = list.stream().map((element) -> spell(element, random)).collect(Collectors.joining(",", "[", "]"));
		}
		else if (value instanceof Map<?, ?> map) {
			List<Map.Entry<?, ?>> members = new ArrayList<>(map.entrySet());
			Collections.shuffle(members, random);
			text = members.stream()
				.map((member) -> duplicate(member, random) + space(random) + quote((String) member.getKey(), random)
						+ space(random) + ":" + spell(member.getValue(), random))
				.collect(Collectors.joining(",", "{", "}"));
		}
		else if (value instanceof String string) {
			text = quote(string, random);
		}
		else if (value instanceof BigDecimal number) {
			text = number(number, random);
		}
		else {
			text = (value != NULL) ? value.toString() : "null";
		}
		return space(random) + text + space(random);
	}

	// an earlier member of the same name, which does not count
	private static String duplicate(Map.Entry<?, ?> member, Random random) {
		return (random.nextInt(8) == 0) ? quote((String) member.getKey(), random) + ":[1]," : "";
	}

	private static String number(BigDecimal number, Random random) {
		if (number.signum() == 0 && random.nextBoolean()) {
			return List.of("-0", "0.00", "0e5", "-0.0E-3").get(random.nextInt(4));
		}
		return switch (random.nextInt(4)) {
			case 0 -> number.toPlainString();
			case 1 -> number.setScale(number.scale() + random.nextInt(5)).toPlainString();
			case 2 -> number.unscaledValue() + "E" + -number.scale();
			default -> number.unscaledValue() + ".0" + "e" + ((number.scale() <= 0) ? "+" : "") + -number.scale();
		};
	}

	private static String quote(String text, Random random) {
		StringBuilder quoted = new StringBuilder("\"");
		text.codePoints().forEach((point) -> {
			if (point < ' ' || point == '"' || point == '\\' || random.nextInt(6) == 0) {
				// both halves of a pair, as every writer does
				Character.toString(point).chars().forEach((half) -> quoted.append("\\u%04x".formatted(half)));
			}
			else {
				quoted.appendCodePoint(point);
			}
		});
		return quoted.append('"').toString();
	}

	private static String space(Random random) {
		return List.of("", "", "", " ", "\n\t", "\r\n").get(random.nextInt(6));
	}

}
