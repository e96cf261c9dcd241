package dev.workhorse.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Race}.
 */
class RaceTests {

	@Test
	void valuesAndFailuresAreCollectedInOrder() {
		Race.Outcomes<Integer> outcomes = Race.of(4).run((thread) -> {
			if (thread % 2 == 1) {
				throw new IllegalStateException("thread " + thread);
			}
			return thread;
		});
		assertThat(outcomes.size()).isEqualTo(4);
		assertThat(outcomes.values()).containsExactly(0, 2);
		assertThat(outcomes.failures()).extracting(Throwable::getMessage).containsExactly("thread 1", "thread 3");
	}

	@Test
	void allThreadsRunAtTheSameTime() {
		CountDownLatch together = new CountDownLatch(5);
		Race.Outcomes<Boolean> outcomes = Race.of(5).run(() -> {
			together.countDown();
			return together.await(10, TimeUnit.SECONDS);
		});
		assertThat(outcomes.values()).containsOnly(true).hasSize(5);
	}

	@Test
	void roundsArePreparedOneByOne() {
		List<Race.Outcomes<String>> rounds = Race.of(2).rounds(2, (round) -> (thread) -> round + "/" + thread);
		assertThat(rounds).extracting(Race.Outcomes::values)
			.containsExactly(List.of("0/0", "0/1"), List.of("1/0", "1/1"));
	}

	@Test
	void raceThatHangsFailsWithAThreadDump() {
		CountDownLatch never = new CountDownLatch(1);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> Race.of(2).withTimeout(Duration.ofMillis(200)).run(() -> {
				never.await();
				return true;
			}))
			.withMessageContaining("race-1")
			.withMessageContaining("raceThatHangsFailsWithAThreadDump");
	}

}
