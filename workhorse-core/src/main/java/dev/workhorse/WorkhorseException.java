package dev.workhorse;

import org.jspecify.annotations.Nullable;

/**
 * Base of the exceptions Workhorse throws on its own account. Failures of the database
 * itself arrive as Spring's {@code DataAccessException} instead.
 */
public abstract class WorkhorseException extends RuntimeException {

	protected WorkhorseException(String message) {
		super(message);
	}

	protected WorkhorseException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
