package dev.workhorse.testsupport;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Await}.
 */
class AwaitTests {

	@Test
	void acceptedValueIsReturned() {
		AtomicInteger counter = new AtomicInteger();
		assertThat(Await.value("three", counter::incrementAndGet, (value) -> value == 3)).isEqualTo(3);
		Await.until("more than five", () -> counter.incrementAndGet() > 5);
	}

	@Test
	void failureNamesTheConditionAndTheLastValue() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> Await.value("the moon", Duration.ofMillis(30), () -> "cheese", String::isEmpty))
			.withMessageContaining("the moon")
			.withMessageContaining("cheese");
	}

}
