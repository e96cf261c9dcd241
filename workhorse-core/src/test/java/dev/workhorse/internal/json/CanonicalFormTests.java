package dev.workhorse.internal.json;

import java.math.BigDecimal;
import java.util.Random;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws of the canonical form, whatever the JSON.
 */
class CanonicalFormTests {

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer("payload", 1_000_000);

	@Property(tries = 500)
	void everySpellingOfAValueHasOneForm(@ForAll("values") Object value, @ForAll Random one, @ForAll Random other) {
		assertThat(canonical(JsonSamples.spell(value, one))).isEqualTo(canonical(JsonSamples.spell(value, other)));
	}

	@Property(tries = 500)
	void twoValuesHaveOneFormOnlyIfTheyAreEqual(@ForAll("values") Object one, @ForAll("values") Object other,
			@ForAll Random random) {
		boolean sameForm = canonical(JsonSamples.spell(one, random))
			.equals(canonical(JsonSamples.spell(other, random)));
		assertThat(sameForm).isEqualTo(JsonSamples.meaning(one).equals(JsonSamples.meaning(other)));
	}

	@Property(tries = 500)
	void formOfTheFormIsTheForm(@ForAll("values") Object value, @ForAll Random random) {
		String form = canonical(JsonSamples.spell(value, random));
		assertThat(canonical(form)).isEqualTo(form);
	}

	@Property(tries = 500)
	void numbersAreKeptToTheLastDigit(@ForAll("numbers") BigDecimal number, @ForAll Random random) {
		assertThat(new BigDecimal(canonical(JsonSamples.spell(number, random)))).isEqualByComparingTo(number);
	}

	@Provide
	Arbitrary<Object> values() {
		return JsonSamples.values();
	}

	@Provide
	Arbitrary<BigDecimal> numbers() {
		return JsonSamples.numbers();
	}

	private String canonical(String json) {
		return this.canonicalizer.canonical(json);
	}

}
