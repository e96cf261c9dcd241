package dev.workhorse.internal.worker;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended, on its way into the database.
 *
 * @param attempt the attempt
 * @param end how it ended
 * @param result the result as JSON text, {@code null} for none
 * @param error the error as JSON text, {@code null} for none
 * @param delay the delay before the next attempt
 * @param duration how long the handler ran
 */
record Settlement(Attempt attempt, End end, @Nullable String result, @Nullable String error, Duration delay,
		Duration duration) {

	static Settlement succeeded(Attempt attempt, @Nullable String result, Duration duration) {
		return new Settlement(attempt, End.SUCCEEDED, result, null, Duration.ZERO, duration);
	}

	static Settlement failed(Attempt attempt, String error, Duration duration) {
		return new Settlement(attempt, End.FAILED, null, error, Duration.ZERO, duration);
	}

	static Settlement retried(Attempt attempt, String error, Duration delay, Duration duration) {
		return new Settlement(attempt, End.RETRIED, null, error, delay, duration);
	}

	static Settlement released(Attempt attempt) {
		return new Settlement(attempt, End.RELEASED, null, null, Duration.ZERO, Duration.ZERO);
	}

	/**
	 * The ends of an attempt.
	 */
	enum End {

		SUCCEEDED("succeeded"), FAILED("failed"), RETRIED("retried"), RELEASED("released");

		private final String label;

		End(String label) {
			this.label = label;
		}

		String label() {
			return this.label;
		}

	}

}
