package dev.workhorse.internal.key;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.workhorse.EnqueueKey;
import org.jspecify.annotations.Nullable;

/**
 * Hashes (space, scope, key): HMAC-SHA-256 with a pepper, SHA-256 without. Changing the
 * pepper forgets every live key, since none can be recognised any more.
 */
public final class KeyHasher {

	private static final String HMAC = "HmacSHA256";

	private final @Nullable SecretKeySpec pepper;

	/**
	 * Create a hasher.
	 * @param pepper the secret, or {@code null} for none
	 */
	public KeyHasher(@Nullable String pepper) {
		this.pepper = (pepper != null) ? new SecretKeySpec(pepper.getBytes(StandardCharsets.UTF_8), HMAC) : null;
	}

	/**
	 * Hash a key.
	 * @param space the kind of key
	 * @param key the key with its scope
	 * @return the digest
	 */
	public KeyDigest digest(KeySpace space, EnqueueKey key) {
		return digest(space, List.of(key.scope(), key.value()));
	}

	/**
	 * Hash what something is known by.
	 * @param space the kind of key
	 * @param parts the parts of the key, none empty
	 * @return the digest
	 */
	public KeyDigest digest(KeySpace space, List<String> parts) {
		// no part can contain NUL, so the parts cannot run into each other
		byte[] input = (space.label() + '\0' + String.join("\0", parts)).getBytes(StandardCharsets.UTF_8);
		try {
			if (this.pepper == null) {
				return new KeyDigest(MessageDigest.getInstance("SHA-256").digest(input));
			}
			Mac mac = Mac.getInstance(HMAC);
			mac.init(this.pepper);
			return new KeyDigest(mac.doFinal(input));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
