package dev.workhorse.operations;

import java.time.Instant;
import java.util.UUID;

/**
 * A key that is held, without the key itself.
 *
 * @param scope the scope
 * @param preview the bounded preview
 * @param digest the first 12 hex characters of the stored hash
 * @param mode how it is bound
 * @param jobId the job that holds it
 * @param expiresAt when it is free again
 */
public record LiveKey(String scope, String preview, String digest, String mode, UUID jobId, Instant expiresAt) {

}
