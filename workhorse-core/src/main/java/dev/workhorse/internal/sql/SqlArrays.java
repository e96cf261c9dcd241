package dev.workhorse.internal.sql;

import java.util.Collection;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Arrays as statement parameters.
 */
public final class SqlArrays {

	private SqlArrays() {
	}

	/**
	 * An array of texts.
	 * @param values the values, possibly with {@code null} among them
	 * @return the parameter
	 */
	public static SqlArrayValue text(Collection<? extends @Nullable String> values) {
		return new SqlArrayValue("text", values.toArray());
	}

	/**
	 * An array of texts, or SQL null instead of an empty one.
	 * @param values the values
	 * @return the parameter
	 */
	public static @Nullable SqlArrayValue textOrNull(Collection<String> values) {
		return (!values.isEmpty()) ? text(values) : null;
	}

	/**
	 * An array of ids.
	 * @param values the values
	 * @return the parameter
	 */
	public static SqlArrayValue uuid(Collection<UUID> values) {
		return new SqlArrayValue("uuid", values.toArray());
	}

	/**
	 * An array of numbers.
	 * @param values the values, possibly with {@code null} among them
	 * @return the parameter
	 */
	public static SqlArrayValue bigint(Collection<? extends @Nullable Long> values) {
		return new SqlArrayValue("bigint", values.toArray());
	}

	/**
	 * An array of byte strings.
	 * @param values the values, possibly with {@code null} among them
	 * @return the parameter
	 */
	public static SqlArrayValue bytea(Collection<byte @Nullable []> values) {
		// the driver wants an array of byte arrays, not of objects
		return new SqlArrayValue("bytea", (Object[]) values.toArray(byte[][]::new));
	}

}
