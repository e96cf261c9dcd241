package dev.workhorse;

/**
 * Why a debounced request did not take the place of the one before it.
 */
public enum NonReplaceableReason {

	/** The window is open, but the job has started, waits for a retry or has ended. */
	NOT_PENDING("not-pending"),

	/** The window is over, and the job is about to start; a second is not created. */
	WINDOW_ELAPSED_PENDING("window-elapsed-pending"),

	/** The key is held in another mode. */
	INCOMPATIBLE_KEY_MODE("incompatible-key-mode");

	private final String label;

	NonReplaceableReason(String label) {
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
