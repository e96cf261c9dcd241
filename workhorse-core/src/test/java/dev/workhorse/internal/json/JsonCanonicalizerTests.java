package dev.workhorse.internal.json;

import java.util.List;

import dev.workhorse.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JsonCanonicalizer}: the canonical form by example (I1).
 */
class JsonCanonicalizerTests {

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer("payload", 1_000_000);

	@ParameterizedTest
	@ValueSource(strings = { "1", "1.0", "1e0", "1E0", "1E+0", "10e-1", "0.1e1", "0.01e02", "1.000000" })
	void numbersCountByValue(String text) {
		assertThat(canonical(text)).isEqualTo("1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-0", "0.0", "-0.00", "0e7", "-0e-7" })
	void everyZeroIsOne(String text) {
		assertThat(canonical(text)).isEqualTo("0");
	}

	@ParameterizedTest
	@CsvSource({ "-15, -15", "1500, 15e2", "0.0015, 15e-4", "1e400, 1e400",
			"12345678901234567890.5, 123456789012345678905e-1", "9007199254740993, 9007199254740993",
			"9007199254740992, 9007199254740992", "0.1, 1e-1",
			"0.1000000000000000055511151231257827, 1000000000000000055511151231257827e-34" })
	void numbersAreExact(String text, String canonical) {
		assertThat(canonical(text)).isEqualTo(canonical);
	}

	@Test
	void memberOrderAndWhiteSpaceDoNotCount() {
		assertThat(canonical(" {\n\"b\" : [ 1 ,\t2 ] , \"a\":{ } }\r\n")).isEqualTo("{\"a\":{},\"b\":[1,2]}");
	}

	@Test
	void arrayOrderCounts() {
		assertThat(canonical("[1,2]")).isNotEqualTo(canonical("[2,1]"));
	}

	@Test
	void absentIsNotNull() {
		assertThat(canonical("{}")).isNotEqualTo(canonical("{\"a\":null}"));
		assertThat(canonical("[]")).isNotEqualTo(canonical("[null]"));
		assertThat(canonical("null")).isNotEqualTo(canonical("{}"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			1     | "1"
			true  | "true"
			null  | "null"
			{}    | []
			""")
	void kindsOfValueAreApart(String one, String other) {
		assertThat(canonical(one)).isNotEqualTo(canonical(other));
	}

	@Test
	void escapesAreSpelling() {
		assertThat(canonical("\"\\u00e9\\/\\u0022\\ud83d\\ude00\\b\"")).isEqualTo(canonical("\"é/\\\"😀\\u0008\""))
			.isEqualTo("\"é/\\\"😀\\u0008\"");
	}

	@Test
	void composedAndDecomposedTextsAreApart() {
		assertThat(canonical("\"\u00e9\"")).isNotEqualTo(canonical("\"e\u0301\""));
	}

	@Test
	void lastOfDuplicateMembersCounts() {
		assertThat(canonical("{\"a\":1,\"b\":2,\"a\":3}")).isEqualTo("{\"a\":3,\"b\":2}");
		assertThat(canonical("{\"a\":1,\"\\u0061\":3}")).isEqualTo("{\"a\":3}");
	}

	@Test
	void textsInsideCannotImitateStructure() {
		assertThat(canonical("{\"a\":\"1,\\\"b\\\":2\"}")).isNotEqualTo(canonical("{\"a\":1,\"b\":2}"));
		assertThat(canonical("[\"a\\\",\\\"b\"]")).isNotEqualTo(canonical("[\"a\",\"b\"]"));
	}

	@Test
	void nestingIsAllowedToAThousandLevels() {
		String deepest = "[".repeat(1_000) + "]".repeat(1_000);
		assertThat(canonical(deepest)).isEqualTo(deepest);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical("[" + deepest + "]"))
			.withMessageContaining("at most 1,000 levels deep");
		String objects = "{\"a\":".repeat(1_001) + "1" + "}".repeat(1_001);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical(objects))
			.withMessageContaining("at most 1,000 levels deep");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{", "[1,]", "{\"a\"}", "{'a':1}", "01", "+1", ".5", "1.", "tru", "1 2", "[1]]",
			"\"\t\"", "\"\\x\"", "// c\n1" })
	void whatIsNotJsonIsRefused(String text) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical(text))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("payload"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"a":[0,"\\u0000"]}      | NUL       | '/a/1'
			{"a":{"b\\u0000":1}}     | NUL       | '/a/b
			["\\ud800"]              | surrogate | '/0'
			["\\udc00\\ud800"]       | surrogate | '/0'
			{"x/y":{"~":"\\ud800x"}} | surrogate | '/x~1y/~0'
			[NaN]                    | NaN       | '/0'
			{"a":-Infinity}          | -Infinity | '/a'
			[1e1000]                 | digits    | '/0'
			[1e99999999999999999999] | digits    | '/0'
			[1e-1000]                | digits    | '/0'
			""")
	void whatJsonbCannotCarryIsRefusedWithItsPlace(String text, String problem, String place) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical(text))
			.withMessageContainingAll(problem, "at " + place);
	}

	@Test
	void pairOfWhichOneHalfIsEscapedIsRefused() {
		char[] pair = Character.toChars(0x1F600);
		for (String text : List.of("\"" + pair[0] + "\\ude00\"", "\"\\ud83d" + pair[1] + "\"")) {
			assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical(text))
				.withMessageContaining("surrogate");
		}
	}

	@Test
	void hugeExponentCostsNothing() {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical("1e2147483647"))
			.withMessageContaining("1,000 digits");
		assertThat(canonical("0e2")).isEqualTo("0");
	}

	@Test
	void longNumbersAreReadToTheLastDigit() {
		String digits = "123456789".repeat(111);
		assertThat(canonical(digits)).isEqualTo(digits);
		assertThat(canonical("0." + digits)).isEqualTo(digits + "e-999");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> canonical(digits + "12"))
			.withMessageContaining("1,000 digits");
	}

	private String canonical(String json) {
		return this.canonicalizer.canonical(json);
	}

}
