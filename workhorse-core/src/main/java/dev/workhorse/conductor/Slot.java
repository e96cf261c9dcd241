package dev.workhorse.conductor;

import java.time.Duration;

import dev.workhorse.Bounds;

/**
 * The fixed time slots an invoke belongs to: each begins at a multiple of its length
 * counted from 1970-01-01T00:00:00Z by the database's clock. Slots of different lengths
 * know nothing of each other.
 *
 * @param use what a slot is used for
 * @param length the length, 1 second to 365 days in whole seconds
 */
public record Slot(Use use, Duration length) {

	public Slot {
		Bounds.slot((use == Use.THROTTLE) ? "throttle" : "debounce", length);
	}

	/**
	 * What a slot is used for.
	 */
	public enum Use {

		/** The first invoke in a slot runs, later ones are dropped. */
		THROTTLE,

		/** The last invoke in a slot runs, at the start of the next one. */
		DEBOUNCE

	}

}
