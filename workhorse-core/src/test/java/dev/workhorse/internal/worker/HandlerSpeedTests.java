package dev.workhorse.internal.worker;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandlerSpeed}.
 */
class HandlerSpeedTests {

	private final HandlerSpeed speed = new HandlerSpeed();

	@Test
	void nothingIsClaimedAheadBeforeAnyJobRan() {
		assertThat(ahead()).isZero();
	}

	@Test
	void shortJobsAreClaimedAheadUpToTheBound() {
		record(Duration.ofNanos(1_000), 100);
		assertThat(ahead()).isEqualTo(500);
	}

	@Test
	void slowDownCountsAtOnceAndSpeedUpGradually() {
		record(Duration.ofNanos(1_000), 100);
		record(Duration.ofSeconds(1), 1);
		assertThat(ahead()).isZero();
		record(Duration.ofNanos(1_000), 20);
		assertThat(ahead()).isBetween(1, 20);
		record(Duration.ofNanos(1_000), 200);
		assertThat(ahead()).isEqualTo(500);
	}

	private void record(Duration duration, int times) {
		for (int i = 0; i < times; i++) {
			this.speed.record(duration.toNanos());
		}
	}

	private int ahead() {
		return this.speed.jobsWithin(Duration.ofMillis(50), 10, 500);
	}

}
