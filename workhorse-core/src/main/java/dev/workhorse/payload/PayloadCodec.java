package dev.workhorse.payload;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * Writes payloads and results as JSON and reads them as the type a handler declares. An
 * implementation must never instantiate a type that the JSON names: only the declared
 * type counts. It must be safe for use by several threads.
 */
public interface PayloadCodec {

	/**
	 * Write a value as JSON. Numbers that JSON does not have, such as {@code NaN}, may be
	 * written bare; they are refused afterwards with the place in the payload.
	 * @param value the value
	 * @return the JSON text
	 * @throws PayloadTooDeepException if the value is nested too deep
	 * @throws PayloadException if the value cannot be written for another reason
	 */
	String write(@Nullable Object value);

	/**
	 * Read JSON as the declared type.
	 * @param json the JSON text
	 * @param type the declared type, possibly generic
	 * @return the value
	 * @throws PayloadException if the JSON does not fit the type
	 */
	@Nullable Object read(String json, Type type);

}
