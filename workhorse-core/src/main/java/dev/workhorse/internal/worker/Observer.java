package dev.workhorse.internal.worker;

/**
 * What the parts of a worker tell of its attempts.
 */
interface Observer {

	/**
	 * The end of an attempt is stored.
	 */
	void settled(Settlement settlement);

	/**
	 * A batch is through, and the ends of some attempts, or none, were stored by one
	 * statement.
	 */
	default void stored(int attempts) {
	}

	/**
	 * An attempt has lost its lease and can write nothing more.
	 */
	void leaseLost(Attempt attempt);

	/**
	 * Somebody asked for an attempt to be cancelled.
	 */
	void cancelRequested(Attempt attempt, boolean interrupt);

}
