package dev.workhorse.handler;

import dev.workhorse.WorkhorseException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to fail its job now: no attempt follows, whatever the retry policy
 * says.
 */
public class PermanentFailureException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param message why retrying is pointless
	 */
	public PermanentFailureException(String message) {
		super(message);
	}

	/**
	 * Create the exception.
	 * @param message why retrying is pointless
	 * @param cause what went wrong
	 */
	public PermanentFailureException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
