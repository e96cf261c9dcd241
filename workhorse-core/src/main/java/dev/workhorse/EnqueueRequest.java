package dev.workhorse;

import org.jspecify.annotations.Nullable;

/**
 * One request of a batch.
 *
 * @param type the job type, 1 to 256 UTF-8 bytes
 * @param payload what the handler is given, written as JSON
 * @param options how to accept and run it
 */
public record EnqueueRequest(String type, @Nullable Object payload, EnqueueOptions options) {

	/**
	 * Create a request with the default options.
	 * @param type the job type
	 * @param payload what the handler is given
	 */
	public EnqueueRequest(String type, @Nullable Object payload) {
		this(type, payload, EnqueueOptions.defaults());
	}

}
