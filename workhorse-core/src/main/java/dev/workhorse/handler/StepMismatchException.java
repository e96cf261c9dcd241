package dev.workhorse.handler;

import dev.workhorse.WorkhorseException;

/**
 * A handler went another way than the steps that are stored for its job: it used the name
 * of a step for one of another kind, or reached its steps in another order.
 */
public class StepMismatchException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param message what does not match, and the next step
	 */
	public StepMismatchException(String message) {
		super(message);
	}

}
