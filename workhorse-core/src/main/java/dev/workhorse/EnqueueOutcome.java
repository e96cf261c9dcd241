package dev.workhorse;

/**
 * What became of an enqueue request.
 */
public enum EnqueueOutcome {

	/** A new job was created. */
	ACCEPTED("accepted"),

	/** The request is a repeat; nothing was written and the original job answers. */
	REPLAYED("replayed"),

	/** A debounced request took the place of the one that was waiting; same job. */
	REPLACED("replaced"),

	/** A debounced request came too late or met another mode; the reason says which. */
	NON_REPLACEABLE("non-replaceable"),

	/** A throttled repeat within the window; nothing was written. */
	COALESCED("coalesced");

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
