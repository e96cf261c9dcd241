package dev.workhorse;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The documented limits of every request field, and the checks that enforce them before
 * any SQL is sent. Each check returns the value it was given.
 */
public final class Bounds {

	/** Longest key in UTF-8 bytes. */
	public static final int MAX_KEY_BYTES = 512;

	/** Longest scope, queue, type and event name in UTF-8 bytes. */
	public static final int MAX_NAME_BYTES = 256;

	/** Most tags of one job. */
	public static final int MAX_TAGS = 20;

	/** Longest tag in characters. */
	public static final int MAX_TAG_LENGTH = 100;

	/** Highest priority; the lowest is 0. */
	public static final int MAX_PRIORITY = 100;

	/** Most attempts of one job. */
	public static final int MAX_ATTEMPTS = 100;

	/** Most requests of one batch. */
	public static final int MAX_BATCH = 1_000;

	/** Longest ttl, window or timeout. */
	public static final Duration MAX_WINDOW = Duration.ofDays(365);

	/** Longest time that a finished job stays. */
	public static final Duration MAX_RETENTION = Duration.ofDays(3_650);

	private static final long NANOS_PER_MILLI = 1_000_000;

	private static final Duration MIN_WINDOW = Duration.ofMillis(1);

	private static final Duration MIN_SLOT = Duration.ofSeconds(1);

	private static final Instant LATEST_TIME = Instant.parse("9999-12-31T23:59:59Z");

	private Bounds() {
	}

	/**
	 * Check a key.
	 * @param value the key
	 * @return the key
	 */
	public static String key(@Nullable String value) {
		return key("key", value);
	}

	/**
	 * Check a key that goes by another name.
	 * @param field the name of the field, for the message
	 * @param value the key
	 * @return the key
	 */
	public static String key(String field, @Nullable String value) {
		return text(field, value, MAX_KEY_BYTES);
	}

	/**
	 * Check a name: a scope, queue, type or event.
	 * @param field the name of the field, for the message
	 * @param value the name
	 * @return the name
	 */
	public static String name(String field, @Nullable String value) {
		return text(field, value, MAX_NAME_BYTES);
	}

	/**
	 * Check a ttl or a window: 1 ms to 365 days in whole milliseconds.
	 * @param field the name of the field, for the message
	 * @param value the duration
	 * @return the duration
	 */
	public static Duration window(String field, @Nullable Duration value) {
		if (value == null || value.compareTo(MIN_WINDOW) < 0 || value.compareTo(MAX_WINDOW) > 0
				|| value.toNanos() % NANOS_PER_MILLI != 0) {
			throw new InvalidRequestException(field, "1 ms to 365 days in whole milliseconds", String.valueOf(value));
		}
		return value;
	}

	/**
	 * Check the length of a slot: 1 second to 365 days in whole seconds.
	 * @param field the name of the field, for the message
	 * @param value the length
	 * @return the length
	 */
	public static Duration slot(String field, @Nullable Duration value) {
		if (value == null || value.compareTo(MIN_SLOT) < 0 || value.compareTo(MAX_WINDOW) > 0
				|| !value.equals(Duration.ofSeconds(value.toSeconds()))) {
			throw new InvalidRequestException(field, "1 second to 365 days in whole seconds", String.valueOf(value));
		}
		return value;
	}

	/**
	 * Check how long finished jobs stay: 0 to 3,650 days.
	 * @param field the name of the field, for the message
	 * @param value the duration
	 * @return the duration
	 */
	public static Duration retention(String field, Duration value) {
		if (value.isNegative() || value.compareTo(MAX_RETENTION) > 0) {
			throw new InvalidRequestException(field, "0 to 3,650 days", value.toString());
		}
		return value;
	}

	/**
	 * Check a priority: 0 to 100, higher runs first.
	 * @param value the priority
	 * @return the priority
	 */
	public static int priority(int value) {
		return range("priority", value, 0, MAX_PRIORITY);
	}

	/**
	 * Check a number of attempts: 1 to 100.
	 * @param value the number of attempts
	 * @return the number of attempts
	 */
	public static int maxAttempts(int value) {
		return range("maxAttempts", value, 1, MAX_ATTEMPTS);
	}

	/**
	 * Check a point in time and bring it to the precision that is stored.
	 * @param field the name of the field, for the message
	 * @param value the time, between the years 1970 and 9999
	 * @return the time in whole microseconds
	 */
	public static Instant time(String field, @Nullable Instant value) {
		if (value == null || value.isBefore(Instant.EPOCH) || value.isAfter(LATEST_TIME)) {
			throw new InvalidRequestException(field, "a time between 1970-01-01 and " + LATEST_TIME,
					String.valueOf(value));
		}
		return value.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * Check tags and bring them into their canonical order.
	 * @param values the tags, duplicates allowed
	 * @return the tags, sorted and without duplicates
	 */
	public static List<String> tags(Collection<String> values) {
		TreeSet<String> sorted = new TreeSet<>();
		for (String tag : values) {
			checkCharacters("tags", tag, "each");
			if (tag.codePointCount(0, tag.length()) > MAX_TAG_LENGTH) {
				throw new InvalidRequestException("tags", "1 to %d characters each".formatted(MAX_TAG_LENGTH),
						"%d characters".formatted(tag.codePointCount(0, tag.length())));
			}
			sorted.add(tag);
		}
		if (sorted.size() > MAX_TAGS) {
			throw new InvalidRequestException("tags", "at most %d".formatted(MAX_TAGS), "%d".formatted(sorted.size()));
		}
		return List.copyOf(sorted);
	}

	private static int range(String field, int value, int least, int most) {
		if (value < least || value > most) {
			throw new InvalidRequestException(field, "%d to %d".formatted(least, most), Integer.toString(value));
		}
		return value;
	}

	private static String text(String field, @Nullable String value, int maxBytes) {
		String bound = "1 to %d UTF-8 bytes".formatted(maxBytes);
		String text = checkCharacters(field, value, bound + ",");
		int bytes = text.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > maxBytes) {
			throw new InvalidRequestException(field, bound, "%d bytes".formatted(bytes));
		}
		return text;
	}

	private static String checkCharacters(String field, @Nullable String value, String prefix) {
		String bound = prefix + " not blank, without NUL and unpaired surrogates";
		if (value == null) {
			throw new InvalidRequestException(field, bound, "null");
		}
		if (value.isBlank()) {
			throw new InvalidRequestException(field, bound, (value.isEmpty()) ? "empty" : "blank");
		}
		if (value.indexOf('\0') >= 0) {
			throw new InvalidRequestException(field, bound, "a text with NUL at index " + value.indexOf('\0'));
		}
		int surrogate = unpairedSurrogate(value);
		if (surrogate >= 0) {
			throw new InvalidRequestException(field, bound, "a text with an unpaired surrogate at index " + surrogate);
		}
		return value;
	}

	/**
	 * Find a surrogate that is not half of a pair, which UTF-8 cannot carry.
	 * @param value the text to look through
	 * @return the index of the first one, or -1
	 */
	public static int unpairedSurrogate(String value) {
		int index = 0;
		while (index < value.length()) {
			char character = value.charAt(index);
			boolean pair = Character.isHighSurrogate(character) && index + 1 < value.length()
					&& Character.isLowSurrogate(value.charAt(index + 1));
			if (Character.isSurrogate(character) && !pair) {
				return index;
			}
			index += (pair) ? 2 : 1;
		}
		return -1;
	}

}
