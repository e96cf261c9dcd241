package dev.workhorse;

import java.time.Duration;

/**
 * Another transaction holds the key undecided for longer than
 * {@code workhorse.enqueue.key-wait}. The caller's transaction is still usable, and
 * nothing was enqueued.
 */
public class EnqueueKeyBusyException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param keys the keys, without the raw values
	 * @param waited how long the request waited
	 */
	public EnqueueKeyBusyException(String keys, Duration waited) {
		super(("%s: still being decided by another open transaction after %d ms; try again, "
				+ "or raise workhorse.enqueue.key-wait")
			.formatted(keys, waited.toMillis()));
	}

}
