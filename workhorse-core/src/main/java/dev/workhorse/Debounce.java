package dev.workhorse;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Gather requests into one job: until the window is over, each request takes the place of
 * the one before it, and the job runs once with the last. What happens to the time of
 * running is chosen with {@link #reset(String, Duration)} or
 * {@link #preserve(String, Duration)}. Immutable.
 */
public abstract sealed class Debounce implements KeyUse permits Debounce.Reset, Debounce.Preserve {

	private final EnqueueKey key;

	private final Duration window;

	private Debounce(EnqueueKey key, Duration window) {
		this.key = key;
		this.window = Bounds.window("window", window);
	}

	/**
	 * Run once no request has come for a whole window. As long as requests keep coming,
	 * the job does not run, unless {@link Reset#maxDelay(Duration)} bounds that.
	 * @param key the key, 1 to 512 UTF-8 bytes
	 * @param window the length of the window, 1 ms to 365 days in whole milliseconds
	 * @return the debounce
	 */
	public static Reset reset(String key, Duration window) {
		return new Reset(EnqueueKey.of(key), window, null);
	}

	/**
	 * Run one window after the first request, whatever comes in between.
	 * @param key the key, 1 to 512 UTF-8 bytes
	 * @param window the length of the window, 1 ms to 365 days in whole milliseconds
	 * @return the debounce
	 */
	public static Preserve preserve(String key, Duration window) {
		return new Preserve(EnqueueKey.of(key), window);
	}

	/**
	 * Keep the key apart from equal keys of other scopes.
	 * @param scope the scope, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the scope
	 */
	public abstract Debounce scope(String scope);

	@Override
	public EnqueueKey key() {
		return this.key;
	}

	@Override
	public KeyMode mode() {
		return KeyMode.DEBOUNCE;
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
		return "Debounce." + getClass().getSimpleName() + "[" + this.key + ", window=" + this.window + "]";
	}

	/**
	 * Each request moves the run to one window from now.
	 */
	public static final class Reset extends Debounce {

		private final @Nullable Duration maxDelay;

		private Reset(EnqueueKey key, Duration window, @Nullable Duration maxDelay) {
			super(key, window);
			this.maxDelay = maxDelay;
		}

		@Override
		public Reset scope(String scope) {
			return new Reset(new EnqueueKey(scope, key().value()), window(), this.maxDelay);
		}

		/**
		 * Bound the delay, so that requests that keep coming cannot put off the job for
		 * ever.
		 * @param maxDelay the longest time from the first acceptance to the run, 1 ms to
		 * 365 days in whole milliseconds; default none
		 * @return a copy with the bound
		 */
		public Reset maxDelay(Duration maxDelay) {
			return new Reset(key(), window(), Bounds.window("maxDelay", maxDelay));
		}

		/**
		 * The longest time from the first acceptance to the run.
		 * @return the bound, or {@code null} for none
		 */
		public @Nullable Duration maxDelay() {
			return this.maxDelay;
		}

	}

	/**
	 * The first request fixes the time of the run.
	 */
	public static final class Preserve extends Debounce {

		private Preserve(EnqueueKey key, Duration window) {
			super(key, window);
		}

		@Override
		public Preserve scope(String scope) {
			return new Preserve(new EnqueueKey(scope, key().value()), window());
		}

	}

}
