package dev.workhorse.operations;

import java.util.UUID;

import dev.workhorse.WorkhorseException;

/**
 * A job that was to be run again has not failed, or is not stored any more.
 */
public class NotADeadLetterException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param jobId the job
	 */
	public NotADeadLetterException(UUID jobId) {
		super(("Job %s is no dead letter: it has not failed, or retention has removed it; "
				+ "look at its state with Jobs.find")
			.formatted(jobId));
	}

}
