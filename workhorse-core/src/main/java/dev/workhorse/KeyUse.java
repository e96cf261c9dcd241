package dev.workhorse;

/**
 * What a key is used for: one of three, never two at once.
 */
public sealed interface KeyUse permits Idempotency, Throttle, Debounce {

	/**
	 * The key with its scope.
	 * @return the key
	 */
	EnqueueKey key();

	/**
	 * How the key is bound to the job that holds it.
	 * @return the mode
	 */
	KeyMode mode();

}
