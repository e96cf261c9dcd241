package dev.workhorse.internal.enqueue;

import java.util.List;
import java.util.UUID;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueIdempotencyConflictException.Conflict;
import dev.workhorse.internal.enqueue.PostgresEnqueue.HeldRequest;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.internal.json.JsonDifference;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request whose fingerprint differs from the stored one is a different
 * request, or the same one made under other defaults.
 */
final class ConflictCheck {

	// what is stored has passed the bounds of its time, which may have been wider
	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer("payload", Integer.MAX_VALUE);

	/**
	 * Compare a request with the one the key is held for.
	 * @return the conflict, or {@code null} if the requests are equivalent
	 */
	@Nullable EnqueueIdempotencyConflictException check(JobRequest request, KeyBinding key, RequestContent content, UUID holder,
			HeldRequest held) {
		RequestContent stored = new RequestContent(held.explicit()).put(RequestField.QUEUE, held.queue())
			.put(RequestField.TYPE, held.type())
			.putPayload(this.canonicalizer.canonical(held.payload()))
			.put(RequestField.PRIORITY, held.priority())
			.putTags(held.tags())
			.putRunAt(held.runAt())
			.put(RequestField.MAX_ATTEMPTS, held.maxAttempts())
			.put(RequestField.RETRY_POLICY, held.retryPolicy())
			.put(RequestField.MODE, held.mode())
			.put(RequestField.TTL, held.windowMillis());
		List<String> fields = content.differences(stored);
		if (fields.isEmpty()) {
			return null;
		}
		List<String> pointers = (fields.contains(RequestField.PAYLOAD.label())) ? JsonDifference.between(held.payload(),
				request.payload(), EnqueueIdempotencyConflictException.MAX_POINTERS) : List.of();
		return new EnqueueIdempotencyConflictException(new Conflict(key.key().scope(), key.key().preview(),
				key.digest().text(), key.key().length(), holder, fields, pointers));
	}

}
