package dev.workhorse.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The application cannot start the way it is, and this is what to do about it.
 */
final class StartupException extends IllegalStateException {

	private final String description;

	private final String action;

	StartupException(String description, String action, @Nullable Throwable cause) {
		super(description + "; " + action, cause);
		this.description = description;
		this.action = action;
	}

	String description() {
		return this.description;
	}

	String action() {
		return this.action;
	}

}
