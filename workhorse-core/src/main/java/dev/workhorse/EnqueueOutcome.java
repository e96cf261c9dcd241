package dev.workhorse;

/**
 * What became of an enqueue request.
 */
public enum EnqueueOutcome {

	/** A new job was created. */
	ACCEPTED("accepted"),

	/** The request is a repeat; nothing was written and the original job answers. */
	REPLAYED("replayed");

	private final String label;

	EnqueueOutcome(String label) {
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
