package dev.workhorse.internal.worker;

import java.time.Duration;

/**
 * How long the handlers of a queue take, as a moving average that follows slow-downs at
 * once and speed-ups gradually.
 */
final class HandlerSpeed {

	private static final double WEIGHT = 0.1;

	private volatile double averageNanos = Double.MAX_VALUE;

	void record(long nanos) {
		double average = this.averageNanos;
		boolean slower = nanos > average || average == Double.MAX_VALUE;
		// lost updates between threads only make the average a little older
		this.averageNanos = (slower) ? nanos : average + WEIGHT * (nanos - average);
	}

	/**
	 * How many jobs the handlers get through within a time.
	 */
	int jobsWithin(Duration time, int slots, int most) {
		return (int) Math.min(most, slots * (time.toNanos() / Math.max(1.0, this.averageNanos)));
	}

}
