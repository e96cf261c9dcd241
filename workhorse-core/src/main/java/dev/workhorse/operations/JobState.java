package dev.workhorse.operations;

/**
 * Where a job stands.
 */
public enum JobState {

	/** Will be due later: delayed, or waiting for its next attempt. */
	SCHEDULED("scheduled"),

	/** Due, and waiting for a free worker. */
	READY("ready"),

	/** Claimed by a node. */
	RUNNING("running"),

	/** Suspended: its handler sleeps, or waits for a child or an event. */
	WAITING("waiting"),

	/** Ended with a result. */
	SUCCEEDED("succeeded"),

	/** Failed for good: a dead letter. */
	FAILED("failed"),

	/** Called off. */
	CANCELLED("cancelled");

	private final String label;

	JobState(String label) {
		this.label = label;
	}

	/**
	 * The name stored in the database and used in metrics and JSON.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Whether the job has ended.
	 * @return whether nothing more will happen to it
	 */
	public boolean isFinished() {
		return this == SUCCEEDED || this == FAILED || this == CANCELLED;
	}

	/**
	 * Find a state by its stored name.
	 * @param label the stored name
	 * @return the state
	 */
	public static JobState of(String label) {
		for (JobState state : values()) {
			if (state.label.equals(label)) {
				return state;
			}
		}
		throw new IllegalArgumentException("No job state '%s'".formatted(label));
	}

}
