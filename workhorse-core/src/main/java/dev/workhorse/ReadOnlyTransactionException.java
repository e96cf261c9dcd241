package dev.workhorse;

/**
 * A job was offered inside a read-only transaction, which could not write it. Thrown
 * before any SQL.
 */
public class ReadOnlyTransactionException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param operation what was attempted, for example {@code enqueue}
	 */
	public ReadOnlyTransactionException(String operation) {
		super(("Cannot %s inside a read-only transaction; call it from a transaction that may write, "
				+ "for example a method with @Transactional(propagation = REQUIRES_NEW)")
			.formatted(operation));
	}

}
