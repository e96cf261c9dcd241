package dev.workhorse.internal.schema;

import dev.workhorse.WorkhorseException;
import org.jspecify.annotations.Nullable;

/**
 * The database is not one that jobs can be kept in, or its schema is not the expected
 * one.
 */
public final class SchemaException extends WorkhorseException {

	SchemaException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
