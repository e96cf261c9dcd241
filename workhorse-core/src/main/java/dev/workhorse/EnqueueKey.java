package dev.workhorse;

import org.jspecify.annotations.Nullable;

/**
 * A scope and a key: what makes a request recognisable when it comes again. A value that
 * exists is within its bounds. The raw key is handed to the hash and to nothing else;
 * {@link #toString()} shows only the preview.
 *
 * @param scope the name space of the key, 1 to 256 UTF-8 bytes
 * @param value the key, 1 to 512 UTF-8 bytes, compared byte for byte
 */
public record EnqueueKey(String scope, String value) {

	/** The scope used when none is given. */
	public static final String DEFAULT_SCOPE = "default";

	private static final int SHORTEST_WITH_PREVIEW = 12;

	private static final int MOST_SHOWN = 6;

	public EnqueueKey {
		Bounds.name("scope", scope);
		Bounds.key(value);
	}

	/**
	 * Create a key in the default scope.
	 * @param value the key
	 * @return the key
	 */
	public static EnqueueKey of(@Nullable String value) {
		return new EnqueueKey(DEFAULT_SCOPE, Bounds.key(value));
	}

	/**
	 * What people are shown of the key: bullets for a short one, otherwise its first and
	 * last characters, never more than a quarter of it and at most six.
	 * @return the preview
	 */
	public String preview() {
		int length = length();
		if (length < SHORTEST_WITH_PREVIEW) {
			return "•".repeat(length);
		}
		int shown = Math.min(MOST_SHOWN, length / 4);
		int last = shown / 3;
		return this.value.substring(0, this.value.offsetByCodePoints(0, shown - last)) + "…"
				+ this.value.substring(this.value.offsetByCodePoints(this.value.length(), -last));
	}

	/**
	 * The length of the key.
	 * @return the length in characters (Unicode code points)
	 */
	public int length() {
		return this.value.codePointCount(0, this.value.length());
	}

	@Override
	public String toString() {
		return this.scope + "/" + preview();
	}

}
