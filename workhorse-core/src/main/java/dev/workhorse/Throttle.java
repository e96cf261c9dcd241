package dev.workhorse;

import java.time.Duration;

/**
 * Let one request through in each window: until the window is over, an equivalent request
 * is coalesced into the job of the first, whatever has become of it, and a different one
 * is refused with a {@link EnqueueIdempotencyConflictException}. Limits acceptance, not
 * how often jobs run. Immutable.
 */
public final class Throttle implements KeyUse {

	private final EnqueueKey key;

	private final Duration window;

	private Throttle(EnqueueKey key, Duration window) {
		this.key = key;
		this.window = window;
	}

	/**
	 * Use a key in the default scope.
	 * @param key the key, 1 to 512 UTF-8 bytes
	 * @param window the length of the window, counted from acceptance; 1 ms to 365 days
	 * in whole milliseconds
	 * @return the throttle
	 */
	public static Throttle key(String key, Duration window) {
		return new Throttle(EnqueueKey.of(key), Bounds.window("window", window));
	}

	/**
	 * Keep the key apart from equal keys of other scopes.
	 * @param scope the scope, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the scope
	 */
	public Throttle scope(String scope) {
		return new Throttle(new EnqueueKey(scope, this.key.value()), this.window);
	}

	@Override
	public EnqueueKey key() {
		return this.key;
	}

	@Override
	public KeyMode mode() {
		return KeyMode.THROTTLE;
	}

	/**
	 * The length of the window.
	 * @return the window
	 */
	public Duration window() {
		return this.window;
	}

	@Override
	public String toString() {
		return "Throttle[" + this.key + ", window=" + this.window + "]";
	}

}
