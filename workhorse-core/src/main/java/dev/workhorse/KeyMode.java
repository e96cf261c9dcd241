package dev.workhorse;

/**
 * How a key is bound to the job that holds it.
 */
public enum KeyMode {

	/** The key answers repeats with the original job until its ttl is over. */
	IDEMPOTENCY("idempotency"),

	/** The key gathers requests into one job until its window is over. */
	DEBOUNCE("debounce"),

	/** The key lets one request through in each window. */
	THROTTLE("throttle");

	private final String label;

	KeyMode(String label) {
		this.label = label;
	}

	/**
	 * The name stored in the database and used in metrics and JSON.
	 * @return the stored name
	 */
	public String label() {
		return this.label;
	}

}
