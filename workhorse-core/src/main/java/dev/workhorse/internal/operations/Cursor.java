package dev.workhorse.internal.operations;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;

import dev.workhorse.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Where a page begins: behind this row.
 *
 * @param at the time of the row, {@code null} where the id alone is the order
 * @param id its id
 */
record Cursor(@Nullable Instant at, UUID id) {

	private static final int ID_LENGTH = 36;

	/**
	 * Read what a caller hands back.
	 */
	static @Nullable Cursor parse(@Nullable String text) {
		if (text == null) {
			return null;
		}
		try {
			int id = Math.max(0, text.length() - ID_LENGTH);
			Instant at = (id > 0) ? Instant.parse(text.substring(0, id - 1)) : null;
			return new Cursor(at, UUID.fromString(text.substring(id)));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new InvalidRequestException("after", "the 'next' of a page of the same list", "something else");
		}
	}

	static Cursor parseWithTime(String text) {
		Cursor cursor = parse(text);
		if (cursor == null || cursor.at == null) {
			throw new InvalidRequestException("after", "the 'next' of a page of the same list", "something else");
		}
		return cursor;
	}

	String text() {
		return (this.at != null) ? this.at + "_" + this.id : this.id.toString();
	}

}
