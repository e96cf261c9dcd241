package dev.workhorse.internal.enqueue;

import dev.workhorse.EnqueueKey;
import dev.workhorse.KeyMode;
import dev.workhorse.internal.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * A key as a request wants to hold it.
 *
 * @param key the key with its scope; the raw key stays in memory
 * @param digest the hash that is stored
 * @param mode how the key is bound
 * @param windowMillis the ttl or window in milliseconds
 * @param debounce when a debounced job runs, {@code null} in the other modes
 */
record KeyBinding(EnqueueKey key, KeyDigest digest, KeyMode mode, long windowMillis,
		@Nullable DebounceTiming debounce) {

	/**
	 * The same key in the place of an earlier request of the same batch.
	 */
	KeyBinding after(KeyBinding earlier) {
		boolean leavesTime = this.debounce != null && this.debounce.preserve();
		return (leavesTime) ? new KeyBinding(this.key, this.digest, this.mode, earlier.windowMillis, earlier.debounce)
				: this;
	}

	/**
	 * When a debounced job runs.
	 *
	 * @param delayMillis how long after the first acceptance, if no other request comes
	 * @param maxDelayMillis the longest delay, {@code null} for no bound
	 * @param preserve whether later requests leave the time as it is
	 */
	record DebounceTiming(long delayMillis, @Nullable Long maxDelayMillis, boolean preserve) {

	}

}
