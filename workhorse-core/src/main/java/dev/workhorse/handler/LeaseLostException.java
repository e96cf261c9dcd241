package dev.workhorse.handler;

import dev.workhorse.WorkhorseException;

/**
 * A step of an attempt was refused because the attempt has lost its lease, or its
 * execution was superseded. Another attempt has taken over, so the handler should end.
 */
public class LeaseLostException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param step the step that was refused
	 */
	public LeaseLostException(String step) {
		super("%s was refused, since the attempt has lost its lease; end the handler".formatted(step));
	}

}
