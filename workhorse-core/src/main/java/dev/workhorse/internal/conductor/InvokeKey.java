package dev.workhorse.internal.conductor;

import dev.workhorse.EnqueueKey;
import dev.workhorse.internal.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * What an execution is known by: a dedupe key, or a slot with or without one.
 *
 * @param digest the hash that is stored
 * @param mode how it is held
 * @param dedupeKey the dedupe key, which stays in memory; {@code null} for a slot without
 * one
 * @param slotMillis the length of the slots, {@code null} for none
 */
record InvokeKey(KeyDigest digest, Mode mode, @Nullable EnqueueKey dedupeKey, @Nullable Long slotMillis) {

	boolean keepsFirst() {
		return this.mode == Mode.THROTTLE_SLOT;
	}

	/**
	 * The key as people may see it.
	 */
	@Override
	public String toString() {
		return "%s/%s".formatted(this.mode.label(),
				(this.dedupeKey != null) ? this.dedupeKey.preview() : this.digest.text());
	}

	/**
	 * How an execution holds a key.
	 */
	enum Mode {

		/** For as long as it is stored. */
		DEDUPE("dedupe"),

		/** For a slot, while it is pending or running; other invokes are dropped. */
		THROTTLE_SLOT("throttle-slot"),

		/** Until a slot is over; other invokes update it. */
		DEBOUNCE_SLOT("debounce-slot");

		private final String label;

		Mode(String label) {
			this.label = label;
		}

		/**
		 * The name stored in the database and used in metrics.
		 */
		String label() {
			return this.label;
		}

	}

}
