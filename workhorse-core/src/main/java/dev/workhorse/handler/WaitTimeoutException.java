package dev.workhorse.handler;

import dev.workhorse.WorkhorseException;

/**
 * What a handler waited for did not come in time. Thrown again by every later attempt.
 */
public class WaitTimeoutException extends WorkhorseException {

	private final String step;

	/**
	 * Create the exception.
	 * @param step the name of the step that waited
	 */
	public WaitTimeoutException(String step) {
		super("What step '%s' waited for did not come in time; catch this exception to go on without it"
			.formatted(step));
		this.step = step;
	}

	/**
	 * The step that waited.
	 * @return the name of the step
	 */
	public String step() {
		return this.step;
	}

}
