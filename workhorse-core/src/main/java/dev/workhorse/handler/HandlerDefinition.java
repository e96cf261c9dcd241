package dev.workhorse.handler;

import java.lang.reflect.Type;

import dev.workhorse.Bounds;
import dev.workhorse.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A handler and how its jobs are run.
 *
 * @param type the job type, 1 to 256 UTF-8 bytes
 * @param payloadType what payloads are read as, possibly generic
 * @param maxAttempts the number of attempts for jobs enqueued without one, or
 * {@code null} for the configured default
 * @param retryPolicy the retry policy for jobs enqueued without one, or {@code null} for
 * the configured default
 * @param handler the code that runs the jobs
 */
public record HandlerDefinition(String type, Type payloadType, @Nullable Integer maxAttempts,
		@Nullable RetryPolicy retryPolicy, Handler handler) {

	public HandlerDefinition {
		Bounds.name("type", type);
		if (maxAttempts != null) {
			Bounds.maxAttempts(maxAttempts);
		}
	}

	/**
	 * Define a handler with the configured defaults.
	 * @param type the job type
	 * @param payloadType what payloads are read as
	 * @param handler the code that runs the jobs
	 * @return the definition
	 */
	public static HandlerDefinition of(String type, Type payloadType, Handler handler) {
		return new HandlerDefinition(type, payloadType, null, null, handler);
	}

}
