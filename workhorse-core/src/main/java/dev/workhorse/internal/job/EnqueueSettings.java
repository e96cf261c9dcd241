package dev.workhorse.internal.job;

import java.time.Duration;

import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Defaults and limits of enqueue requests.
 *
 * @param idempotencyTtl the ttl of keys given without one
 * @param maxAttempts the number of attempts of jobs enqueued without one
 * @param retryPolicy the retry policy of jobs enqueued without one
 * @param keyWait the longest wait for another transaction to decide about a key,
 * {@code null} for no limit
 * @param maxPayloadBytes the largest payload in bytes of JSON text
 */
public record EnqueueSettings(Duration idempotencyTtl, int maxAttempts, RetryPolicy retryPolicy,
		@Nullable Duration keyWait, int maxPayloadBytes) {

	/** The largest payload unless configured otherwise. */
	public static final int DEFAULT_MAX_PAYLOAD_BYTES = 1024 * 1024;

	/** The highest limit that can be configured for payloads. */
	public static final int HIGHEST_MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

	/** The settings of an application that configures nothing. */
	public static final EnqueueSettings DEFAULTS = new EnqueueSettings(Duration.ofHours(24), 25,
			RetryPolicy.polynomial(), null, DEFAULT_MAX_PAYLOAD_BYTES);

	public EnqueueSettings {
		Bounds.window("idempotencyTtl", idempotencyTtl);
		Bounds.maxAttempts(maxAttempts);
		if (keyWait != null) {
			Bounds.window("keyWait", keyWait);
		}
		if (maxPayloadBytes < 1 || maxPayloadBytes > HIGHEST_MAX_PAYLOAD_BYTES) {
			throw new InvalidRequestException("maxPayloadBytes", "1 to %,d bytes".formatted(HIGHEST_MAX_PAYLOAD_BYTES),
					Integer.toString(maxPayloadBytes));
		}
	}

}
