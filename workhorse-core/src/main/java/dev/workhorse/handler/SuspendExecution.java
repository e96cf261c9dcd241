package dev.workhorse.handler;

/**
 * Leaves a handler that waits, so that it holds no thread meanwhile. Not an error: the
 * attempt goes on later from the top of the handler. Do not catch it; whoever catches
 * {@code Throwable} around a step of a {@link JobContext} must throw it on. An attempt
 * that swallows it fails.
 */
public abstract class SuspendExecution extends Error {

	protected SuspendExecution(String message) {
		super(message, null, false, false);
	}

}
