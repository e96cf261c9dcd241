package dev.workhorse.internal.worker;

import java.time.Duration;

import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * How a node works on a queue. The limits hold for all nodes together if all have the
 * same settings.
 *
 * @param concurrency how many jobs this node runs at once
 * @param perKey how many jobs of one concurrency key run at once on all nodes,
 * {@code null} for no limit
 * @param rate how many jobs start within a time on all nodes, {@code null} for no limit
 */
public record QueueSettings(int concurrency, @Nullable Integer perKey, @Nullable Rate rate) {

	/** The number of jobs run at once unless configured otherwise. */
	public static final int DEFAULT_CONCURRENCY = 10;

	private static final int HIGHEST = 10_000;

	private static final int HIGHEST_RATE = 1_000_000;

	public QueueSettings {
		range("concurrency", concurrency, HIGHEST);
		if (perKey != null) {
			range("concurrencyPerKey", perKey, HIGHEST);
		}
	}

	private static void range(String field, int value, int most) {
		if (value < 1 || value > most) {
			throw new InvalidRequestException(field, "1 to %,d".formatted(most), Integer.toString(value));
		}
	}

	boolean isLimited() {
		return this.perKey != null || this.rate != null;
	}

	@Override
	public String toString() {
		return this.concurrency + ((this.perKey != null) ? ", " + this.perKey + " of a key" : "")
				+ ((this.rate != null) ? ", " + this.rate.starts() + " in " + this.rate.period() : "");
	}

	/**
	 * A token bucket: it holds as many starts as fall within one period.
	 *
	 * @param starts how many jobs start within a period
	 * @param period the period
	 */
	public record Rate(int starts, Duration period) {

		public Rate {
			range("rateLimit", starts, HIGHEST_RATE);
			Bounds.window("ratePeriod", period);
		}

	}

}
