package dev.workhorse.handler;

import dev.workhorse.WorkhorseException;
import org.jspecify.annotations.Nullable;

/**
 * A handler caught the {@link SuspendExecution} of a step and went on.
 */
public class SwallowedSuspensionException extends WorkhorseException {

	/**
	 * Create the exception.
	 * @param step the name of the step that suspended the attempt
	 * @param thrown what the handler threw instead, {@code null} if it returned
	 */
	public SwallowedSuspensionException(String step, @Nullable Throwable thrown) {
		super(("The handler caught the SuspendExecution of step '%s' and %s, so it does not wait; catch Exception "
				+ "instead of Throwable, or throw the SuspendExecution on")
			.formatted(step, (thrown != null) ? "threw something else" : "returned"), thrown);
	}

}
