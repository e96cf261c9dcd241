package dev.workhorse.operations;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.workhorse.KeyMode;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a key, and what each kind of request would get now.
 *
 * @param scope the scope
 * @param preview the bounded preview
 * @param digest the first 12 hex characters of the hash
 * @param holder who holds the key, {@code null} if it is free
 * @param forecasts what a request would get, by its mode
 */
public record KeyExplanation(String scope, String preview, String digest, @Nullable Holder holder,
		Map<KeyMode, Forecast> forecasts) {

	/**
	 * The job that holds a key.
	 *
	 * @param jobId the job
	 * @param mode how the key is bound
	 * @param state where the job stands
	 * @param acceptedAt when it was accepted
	 * @param expiresAt when its ttl or window is over
	 * @param live whether that lies ahead
	 */
	public record Holder(UUID jobId, String mode, JobState state, Instant acceptedAt, Instant expiresAt, boolean live) {

	}

	/**
	 * What a request would get: an outcome, {@code conflict}, or
	 * {@code non-replaceable/<reason>}.
	 *
	 * @param sameRequest the answer to an equivalent request
	 * @param otherRequest the answer to a different one
	 */
	public record Forecast(String sameRequest, String otherRequest) {

	}

}
