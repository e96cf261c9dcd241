package dev.workhorse.operations;

/**
 * What became of a request to cancel a job.
 */
public enum CancelOutcome {

	/** The job was waiting and is now cancelled. */
	CANCELLED,

	/** The job is running; its handler is told by the next heartbeat. */
	REQUESTED,

	/** The job had ended before. */
	ALREADY_FINISHED,

	/** There is no such job, or retention has removed it. */
	NOT_FOUND

}
