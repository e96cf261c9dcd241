package dev.workhorse.internal.key;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The 32-byte hash that stands for a key in the database.
 */
public final class KeyDigest {

	private static final int SHOWN_BYTES = 6;

	private final byte[] bytes;

	KeyDigest(byte[] bytes) {
		this.bytes = bytes;
	}

	/**
	 * The hash as it is stored.
	 * @return a copy of the 32 bytes
	 */
	public byte[] bytes() {
		return this.bytes.clone();
	}

	/**
	 * The form shown to people.
	 * @return the first 12 hex characters
	 */
	public String text() {
		return text(this.bytes);
	}

	/**
	 * The form of a stored hash shown to people.
	 * @param hash the stored hash
	 * @return the first 12 hex characters
	 */
	public static String text(byte[] hash) {
		return HexFormat.of().formatHex(hash, 0, SHOWN_BYTES);
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof KeyDigest digest && Arrays.equals(this.bytes, digest.bytes);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.bytes);
	}

	@Override
	public String toString() {
		return text();
	}

}
