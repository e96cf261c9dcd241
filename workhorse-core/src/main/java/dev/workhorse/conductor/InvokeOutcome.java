package dev.workhorse.conductor;

/**
 * What became of an invoke.
 */
public enum InvokeOutcome {

	/** A new execution was created. */
	CREATED("created"),

	/** The execution that was waiting to run now runs with the new payload. */
	UPDATED("updated"),

	/** The running execution was failed and a new one holds its key. */
	SUPERSEDED("superseded"),

	/** The execution has finished; only its stored payload changed and nothing runs. */
	RETAINED("retained"),

	/** A throttled invoke came while the execution of its slot was pending or running. */
	THROTTLED("throttled");

	private final String label;

	InvokeOutcome(String label) {
		this.label = label;
	}

	/**
	 * The name used in metrics and JSON.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

}
