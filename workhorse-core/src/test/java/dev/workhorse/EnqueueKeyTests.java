package dev.workhorse;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EnqueueKey}: above all what it shows of a key (H15).
 */
class EnqueueKeyTests {

	private static final String SECRET = "tok_live_1234567890abcdef";

	@ParameterizedTest
	@CsvSource({ "a, •", "abc, •••", "abcdefghijk, •••••••••••", "abcdefghijkl, ab…l", "abcdefghijklmno, ab…o",
			"abcdefghijklmnop, abc…p", "abcdefghijklmnopqrs, abc…s", "abcdefghijklmnopqrst, abcd…t",
			"abcdefghijklmnopqrstuvw, abcd…w", "abcdefghijklmnopqrstuvwx, abcd…wx",
			"abcdefghijklmnopqrstuvwxyz, abcd…yz", "tok_live_1234567890abcdef, tok_…ef" })
	void previewShowsFirstAndLastCharacters(String key, String preview) {
		assertThat(EnqueueKey.of(key).preview()).isEqualTo(preview);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "é", "😀", "€" })
	void previewNeverShowsMoreThanAQuarterNorSixCharacters(String character) {
		for (int length = 1; length <= 128; length++) {
			EnqueueKey key = EnqueueKey.of(character.repeat(length));
			long shown = key.preview().codePoints().filter((point) -> point != '•' && point != '…').count();
			assertThat(shown * 4).as("shown of %d", length).isLessThanOrEqualTo(length);
			assertThat(shown).isLessThanOrEqualTo(6);
			assertThat(Bounds.unpairedSurrogate(key.preview())).isEqualTo(-1);
			assertThat(key.length()).isEqualTo(length);
			if (length < 12) {
				assertThat(key.preview()).isEqualTo("•".repeat(length));
			}
		}
	}

	@Test
	void previewKeepsSurrogatePairsTogether() {
		assertThat(EnqueueKey.of("😀😁😂😃😄😅😆😇😈😉😊😋").preview()).isEqualTo("😀😁…😋");
	}

	@Test
	void everyTypeThatHoldsAKeyPrintsThePreviewOnly() {
		Idempotency idempotency = Idempotency.key(SECRET).scope("billing").ttl(Duration.ofMinutes(1));
		assertThat(idempotency.key()).hasToString("billing/tok_…ef");
		assertThat(idempotency).hasToString("Idempotency[billing/tok_…ef, ttl=PT1M]");
		EnqueueOptions options = EnqueueOptions.idempotency(idempotency).queue("q");
		assertThat(options.toString()).contains("billing/tok_…ef").doesNotContain("1234567890");
		assertThat(options.fields().toString()).contains("billing/tok_…ef").doesNotContain("1234567890");
		assertThat(new EnqueueKeyBusyException("Key " + idempotency.key(), Duration.ofMillis(5)).toString())
			.contains("billing/tok_…ef", "5 ms", "workhorse.enqueue.key-wait")
			.doesNotContain("1234567890");
	}

	@ParameterizedTest
	@ValueSource(strings = { SECRET + "\0", SECRET + "\uD800" })
	void refusalDoesNotRepeatTheKey(String key) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> EnqueueKey.of(key))
			.satisfies((ex) -> assertThat(ex.toString()).doesNotContain("tok_"));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> EnqueueKey.of(SECRET.repeat(30)))
			.satisfies((ex) -> assertThat(ex.toString()).doesNotContain("tok_"));
	}

	@Test
	void keysAreEqualByScopeAndValue() {
		assertThat(EnqueueKey.of("a")).isEqualTo(new EnqueueKey("default", "a"))
			.isNotEqualTo(new EnqueueKey("other", "a"))
			.isNotEqualTo(EnqueueKey.of("A"));
		// no Unicode normalisation
		assertThat(EnqueueKey.of("é")).isNotEqualTo(EnqueueKey.of("e\u0301"));
	}

}
