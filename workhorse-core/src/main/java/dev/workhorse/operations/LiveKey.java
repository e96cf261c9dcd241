package dev.workhorse.operations;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A key that is held, without the key itself.
 *
 * @param scope the scope of an enqueue key, {@code null} for one of the conductor
 * @param preview the bounded preview, {@code null} for a slot without a dedupe key
 * @param digest the first 12 hex characters of the stored hash
 * @param mode how it is bound
 * @param jobId the job that holds it
 * @param expiresAt when it is free again, {@code null} for as long as its job is stored
 */
public record LiveKey(@Nullable String scope, @Nullable String preview, String digest, String mode, UUID jobId,
		@Nullable Instant expiresAt) {

}
