package dev.workhorse.payload;

/**
 * A payload or result is nested deeper than JSON may be, possibly because it contains
 * itself.
 */
public class PayloadTooDeepException extends PayloadException {

	/**
	 * Create the exception.
	 * @param type what could not be written
	 * @param cause the failure of the JSON library
	 */
	public PayloadTooDeepException(Class<?> type, Throwable cause) {
		super("Cannot write %s as JSON: it is nested too deep or contains itself; make it flatter"
			.formatted(type.getName()), cause);
	}

}
