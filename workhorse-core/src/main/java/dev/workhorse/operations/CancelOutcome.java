package dev.workhorse.operations;

/**
 * What became of a request to cancel a job.
 */
public enum CancelOutcome {

	/** The job was waiting and is now cancelled. */
	CANCELLED,

	/** The job is running and goes on. */
	RUNNING,

	/** The job had ended before. */
	ALREADY_FINISHED,

	/** There is no such job, or retention has removed it. */
	NOT_FOUND

}
