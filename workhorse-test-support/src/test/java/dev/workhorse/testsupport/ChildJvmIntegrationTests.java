package dev.workhorse.testsupport;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ChildJvm}.
 */
class ChildJvmIntegrationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	@Test
	void killedJvmRunsNoShutdownHook() {
		try (ChildJvm child = ChildJvm.of(Ticker.class).args("hello").env("GREETED", "world").start()) {
			assertThat(child.awaitLine("hello", TIMEOUT)).isEqualTo("hello world");
			child.kill9();
			assertThat(child.exitCode(TIMEOUT)).isEqualTo(137);
			assertThat(child.lines()).doesNotContain("hook");
		}
	}

	@Test
	void terminatedJvmRunsItsShutdownHook() {
		try (ChildJvm child = ChildJvm.of(Ticker.class).args("hello").env("GREETED", "world").start()) {
			child.awaitLine("tick", TIMEOUT);
			child.terminate();
			assertThat(child.awaitLine("hook", TIMEOUT)).isEqualTo("hook");
			assertThat(child.exitCode(TIMEOUT)).isEqualTo(143);
		}
	}

	@Test
	void pausedJvmStandsStillUntilResumed() {
		try (ChildJvm child = ChildJvm.of(Ticker.class).args("hello").env("GREETED", "world").start()) {
			child.awaitLine("tick 3", TIMEOUT);
			child.pause();
			int printed = child.lines().size();
			LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
			// what was in the pipe when the signal came may still have arrived
			assertThat(child.lines()).hasSizeLessThanOrEqualTo(printed + 2);
			int paused = child.lines().size();
			child.resume();
			child.awaitLine("tick " + (paused + 5), TIMEOUT);
			assertThat(child.isAlive()).isTrue();
		}
	}

	@Test
	void jvmThatEndsEarlyFailsTheWaitWithItsOutput() {
		try (ChildJvm child = ChildJvm.of(Ticker.class).start()) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> child.awaitLine("hello", TIMEOUT))
				.withMessageContaining("ArrayIndexOutOfBounds");
		}
	}

}
