package dev.workhorse.payload;

import dev.workhorse.WorkhorseException;
import org.jspecify.annotations.Nullable;

/**
 * A payload or result could not be written as JSON, or JSON could not be read as the
 * declared type.
 */
public class PayloadException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param message what could not be done, and the next step
	 * @param cause the failure of the JSON library
	 */
	public PayloadException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
