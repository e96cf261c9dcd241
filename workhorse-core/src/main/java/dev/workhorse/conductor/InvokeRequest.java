package dev.workhorse.conductor;

import org.jspecify.annotations.Nullable;

/**
 * One invoke of a batch.
 *
 * @param task the task, which is the job type of its handler, 1 to 256 UTF-8 bytes
 * @param payload what the handler is given, written as JSON
 * @param options the key, and how to run it
 */
public record InvokeRequest(String task, @Nullable Object payload, InvokeOptions options) {

	/**
	 * Create an invoke with the default options.
	 * @param task the task
	 * @param payload what the handler is given
	 */
	public InvokeRequest(String task, @Nullable Object payload) {
		this(task, payload, InvokeOptions.defaults());
	}

}
