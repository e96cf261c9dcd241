package dev.workhorse.internal.sql;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * Makes UUIDs of version 7: a millisecond timestamp first, so that new rows lie together
 * in the index, then 74 random bits.
 */
public final class TimeOrderedIds {

	private static final long VERSION = 0x7000L;

	private static final long VARIANT = 0x8000_0000_0000_0000L;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Make an id.
	 * @return the id
	 */
	public UUID next() {
		long most = (System.currentTimeMillis() << 16) | VERSION | (this.random.nextInt() & 0x0FFF);
		long least = VARIANT | (this.random.nextLong() >>> 2);
		return new UUID(most, least);
	}

}
