package dev.workhorse;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Accept a request once: until the ttl is over, a repeat with the same key answers with
 * the original job, and a different request with the same key is refused with a
 * {@link EnqueueIdempotencyConflictException}. Immutable.
 */
public final class Idempotency implements KeyUse {

	private final EnqueueKey key;

	private final @Nullable Duration ttl;

	private Idempotency(EnqueueKey key, @Nullable Duration ttl) {
		this.key = key;
		this.ttl = ttl;
	}

	/**
	 * Use a key in the default scope and the configured ttl.
	 * @param key the key, 1 to 512 UTF-8 bytes
	 * @return the idempotency
	 */
	public static Idempotency key(String key) {
		return new Idempotency(EnqueueKey.of(key), null);
	}

	/**
	 * Keep the key apart from equal keys of other scopes, for example
	 * {@code github-delivery} or {@code tenant-7/orders}.
	 * @param scope the scope, 1 to 256 UTF-8 bytes; default {@code default}
	 * @return a copy with the scope
	 */
	public Idempotency scope(String scope) {
		return new Idempotency(new EnqueueKey(scope, this.key.value()), this.ttl);
	}

	/**
	 * How long a repeat is recognised, counted from acceptance. Repeats do not extend it.
	 * @param ttl 1 ms to 365 days in whole milliseconds; default
	 * {@code workhorse.enqueue.idempotency-ttl} (24 hours)
	 * @return a copy with the ttl
	 */
	public Idempotency ttl(Duration ttl) {
		return new Idempotency(this.key, Bounds.window("ttl", ttl));
	}

	@Override
	public KeyMode mode() {
		return KeyMode.IDEMPOTENCY;
	}

	@Override
	public EnqueueKey key() {
		return this.key;
	}

	/**
	 * The ttl the caller asked for.
	 * @return the ttl, or {@code null} for the configured default
	 */
	public @Nullable Duration ttl() {
		return this.ttl;
	}

	@Override
	public String toString() {
		return "Idempotency[" + this.key + ((this.ttl != null) ? ", ttl=" + this.ttl : "") + "]";
	}

}
