package dev.workhorse;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.random.RandomGenerator;

/**
 * How long a failed job waits before its next attempt. Every policy has a text form,
 * which is what is stored and what {@code @JobHandler(retryPolicy = …)} takes:
 * {@code polynomial}, {@code fixed:PT10S}, {@code exponential:PT1S:PT1H} (durations in
 * ISO-8601). Delays are whole milliseconds.
 */
public sealed interface RetryPolicy {

	/**
	 * The default: about n⁴ + 15 seconds after the n-th failure, plus up to a tenth of
	 * jitter; 25 attempts take about three weeks.
	 * @return the policy
	 */
	static RetryPolicy polynomial() {
		return new Polynomial();
	}

	/**
	 * The same delay after every failure.
	 * @param delay the delay, 1 ms to 365 days
	 * @return the policy
	 */
	static RetryPolicy fixed(Duration delay) {
		return new Fixed(delay);
	}

	/**
	 * A random delay between nothing and a limit that doubles with every failure (full
	 * jitter).
	 * @param initial the limit after the first failure, 1 ms to 365 days
	 * @param max the highest limit, at least {@code initial} and at most 365 days
	 * @return the policy
	 */
	static RetryPolicy exponential(Duration initial, Duration max) {
		return new Exponential(initial, max);
	}

	/**
	 * Read a policy from its text form.
	 * @param text for example {@code fixed:PT10S}
	 * @return the policy
	 * @throws InvalidRequestException if the text is none of the forms
	 */
	static RetryPolicy parse(String text) {
		String[] parts = text.split(":", -1);
		try {
			if (parts.length == 1 && parts[0].equals("polynomial")) {
				return polynomial();
			}
			if (parts.length == 2 && parts[0].equals("fixed")) {
				return fixed(Duration.parse(parts[1]));
			}
			if (parts.length == 3 && parts[0].equals("exponential")) {
				return exponential(Duration.parse(parts[1]), Duration.parse(parts[2]));
			}
		}
		catch (DateTimeParseException ex) {
			// falls through to the message that lists every form
		}
		throw new InvalidRequestException("retryPolicy",
				"'polynomial', 'fixed:<delay>' or 'exponential:<initial>:<max>' with ISO-8601 durations", text);
	}

	/**
	 * The delay before the next attempt.
	 * @param failures how many attempts have failed so far, from 1
	 * @param random the source of jitter
	 * @return the delay
	 */
	Duration delay(int failures, RandomGenerator random);

	/**
	 * The text form, which {@link #parse(String)} reads.
	 * @return the text form
	 */
	String text();

	/**
	 * About n⁴ + 15 seconds.
	 */
	record Polynomial() implements RetryPolicy {

		private static final long BASE_MILLIS = 15_000;

		@Override
		public Duration delay(int failures, RandomGenerator random) {
			long millis = BASE_MILLIS + 1_000L * failures * failures * failures * failures;
			return Duration.ofMillis(millis + random.nextLong(millis / 10));
		}

		@Override
		public String text() {
			return "polynomial";
		}

	}

	/**
	 * The same delay after every failure.
	 *
	 * @param delay the delay
	 */
	record Fixed(Duration delay) implements RetryPolicy {

		public Fixed {
			Bounds.window("retryPolicy.delay", delay);
		}

		@Override
		public Duration delay(int failures, RandomGenerator random) {
			return this.delay;
		}

		@Override
		public String text() {
			return "fixed:" + this.delay;
		}

	}

	/**
	 * A random delay below a doubling limit.
	 *
	 * @param initial the limit after the first failure
	 * @param max the highest limit
	 */
	record Exponential(Duration initial, Duration max) implements RetryPolicy {

		public Exponential {
			Bounds.window("retryPolicy.initial", initial);
			Bounds.window("retryPolicy.max", max);
			if (max.compareTo(initial) < 0) {
				throw new InvalidRequestException("retryPolicy.max", "at least retryPolicy.initial (" + initial + ")",
						max.toString());
			}
		}

		@Override
		public Duration delay(int failures, RandomGenerator random) {
			double doubled = (double) this.initial.toMillis() * Math.pow(2, failures - 1);
			long limit = (long) Math.min((double) this.max.toMillis(), doubled);
			return Duration.ofMillis(random.nextLong(limit + 1));
		}

		@Override
		public String text() {
			return "exponential:" + this.initial + ":" + this.max;
		}

	}

}
