package dev.workhorse.internal.sql;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes UUIDs of version 7: a millisecond timestamp first, so that new rows lie together
 * in the index, then a counter of 12 bits, so that jobs accepted one after the other keep
 * their order, then 62 random bits.
 */
public final class TimeOrderedIds {

	private static final int COUNTER_BITS = 12;

	private static final long COUNTER = (1L << COUNTER_BITS) - 1;

	private static final long VERSION = 0x7000L;

	private static final long VARIANT = 0x8000_0000_0000_0000L;

	private final SecureRandom random = new SecureRandom();

	/** The timestamp and the counter of the last id. */
	private final AtomicLong last = new AtomicLong();

	/**
	 * Make an id.
	 * @return the id, greater than every other one made here before
	 */
	public UUID next() {
		long now = System.currentTimeMillis() << COUNTER_BITS;
		// a counter that is used up, or a clock set back, borrows from the next
		// millisecond
		long next = this.last.updateAndGet((last) -> Math.max(last + 1, now));
		long most = ((next >>> COUNTER_BITS) << 16) | VERSION | (next & COUNTER);
		long least = VARIANT | (this.random.nextLong() >>> 2);
		return new UUID(most, least);
	}

}
