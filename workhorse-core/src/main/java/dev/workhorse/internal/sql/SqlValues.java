package dev.workhorse.internal.sql;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Times and lists as they go into statements and come out of rows.
 */
public final class SqlValues {

	private SqlValues() {
	}

	/**
	 * A time as a statement parameter.
	 * @param instant the time
	 * @return the parameter
	 */
	public static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
		return (instant != null) ? instant.atOffset(ZoneOffset.UTC) : null;
	}

	/**
	 * Read a time that is always there.
	 * @param row the row
	 * @param column the column
	 * @return the time
	 * @throws SQLException if the column cannot be read
	 */
	public static Instant instant(ResultSet row, String column) throws SQLException {
		return Objects.requireNonNull(instantOrNull(row, column));
	}

	/**
	 * Read a time.
	 * @param row the row
	 * @param column the column
	 * @return the time, or {@code null} for SQL null
	 * @throws SQLException if the column cannot be read
	 */
	public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
		OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
		return (value != null) ? value.toInstant() : null;
	}

	/**
	 * Read an array of texts.
	 * @param row the row
	 * @param column the column
	 * @return the texts, none for SQL null
	 * @throws SQLException if the column cannot be read
	 */
	public static List<String> texts(ResultSet row, String column) throws SQLException {
		Array array = row.getArray(column);
		return (array != null) ? Arrays.asList((String[]) array.getArray()) : List.of();
	}

}
