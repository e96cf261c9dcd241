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
	 * @param key the key, of which only the preview is shown
	 * @param waited how long the request waited
	 */
	public EnqueueKeyBusyException(EnqueueKey key, Duration waited) {
		super(("Key %s is still being decided by another open transaction after %d ms; try again, "
				+ "or raise workhorse.enqueue.key-wait")
			.formatted(key, waited.toMillis()));
	}

}
