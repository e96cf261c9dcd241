package dev.workhorse.handler;

import java.time.Duration;

import dev.workhorse.Bounds;
import dev.workhorse.WorkhorseException;

/**
 * Thrown by a handler to fail this attempt and choose the delay before the next one
 * itself, for example because a provider said when to come back. The attempt counts:
 * after the last one the job is failed.
 */
public class RetryLaterException extends WorkhorseException {

	private final Duration delay;

	/**
	 * Create the exception.
	 * @param message why the attempt is given up
	 * @param delay the delay before the next attempt, 1 ms to 365 days
	 */
	public RetryLaterException(String message, Duration delay) {
		super(message);
		this.delay = Bounds.window("delay", delay);
	}

	/**
	 * The delay before the next attempt.
	 * @return the delay
	 */
	public Duration delay() {
		return this.delay;
	}

}
