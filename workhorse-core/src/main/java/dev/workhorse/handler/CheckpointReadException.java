package dev.workhorse.handler;

import dev.workhorse.WorkhorseException;

/**
 * A stored value can no longer be read as the type a handler asks for.
 */
public class CheckpointReadException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param what what was read, for example {@code checkpoint 'charge'}
	 * @param type the type it was to be read as
	 * @param cause why it could not be read
	 */
	public CheckpointReadException(String what, String type, Throwable cause) {
		super(("The stored value of %s cannot be read as %s; let the type accept what is stored, or give a step that "
				+ "may run again a new name")
			.formatted(what, type), cause);
	}

}
