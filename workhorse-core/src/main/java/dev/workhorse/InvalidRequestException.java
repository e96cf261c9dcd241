package dev.workhorse;

/**
 * A request breaks one of the documented bounds. Thrown before any SQL is sent, so
 * nothing has changed and the caller's transaction is untouched.
 */
public class InvalidRequestException extends IllegalArgumentException {

	private final String field;

	private final String bound;

	private final String found;

	/**
	 * Create an exception for one field of a request.
	 * @param field the name of the offending field, for example {@code key}
	 * @param bound what is allowed, for example {@code 1 to 512 UTF-8 bytes}
	 * @param found what was given instead, never the value of a key
	 */
	public InvalidRequestException(String field, String bound, String found) {
		super("'%s' must be %s but was %s; correct the request and send it again".formatted(field, bound, found));
		this.field = field;
		this.bound = bound;
		this.found = found;
	}

	/**
	 * The name of the offending field.
	 * @return the field, for example {@code key}, {@code ttl} or {@code payload}
	 */
	public String field() {
		return this.field;
	}

	/**
	 * What is allowed for the field.
	 * @return the bound in words, for example {@code 1 to 512 UTF-8 bytes}
	 */
	public String bound() {
		return this.bound;
	}

	/**
	 * What was given instead.
	 * @return the value or its size in words, never the value of a key
	 */
	public String found() {
		return this.found;
	}

}
