package dev.workhorse.internal.enqueue;

import java.util.concurrent.atomic.AtomicReferenceArray;

import dev.workhorse.internal.key.KeyDigest;

/**
 * Remembers a few thousand keys this process has lately seen held, so that a repeat
 * starts with a mere look at the holder instead of the statement that would also insert.
 * Only a hint: what it says decides which statement comes first, never an outcome.
 */
final class RecentKeys {

	private static final int SIZE = 8_192;

	private final AtomicReferenceArray<KeyDigest> keys = new AtomicReferenceArray<>(SIZE);

	void remember(KeyDigest key) {
		this.keys.lazySet(place(key), key);
	}

	boolean contains(KeyDigest key) {
		return key.equals(this.keys.get(place(key)));
	}

	private static int place(KeyDigest key) {
		return key.hashCode() & (SIZE - 1);
	}

}
