package dev.workhorse.internal.enqueue;

import java.util.List;
import java.util.UUID;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueIdempotencyConflictException.Conflict;
import dev.workhorse.internal.enqueue.PostgresEnqueue.HeldRequest;
import dev.workhorse.internal.job.JobField;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.internal.json.JsonDifference;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request whose fingerprint differs from that of the holder is a
 * different request, or the same one made under other defaults.
 */
final class ConflictCheck {

	// what is stored has passed the bounds of its time, which may have been wider
	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer("payload", Integer.MAX_VALUE);

	/**
	 * Compare a request with the stored one its key is held for.
	 * @return the conflict, or {@code null} if the requests are equivalent
	 */
	@Nullable Conflict withStored(JobRequest request, UUID holder, HeldRequest held) {
		String canonical = this.canonicalizer.canonical(held.definition().payload());
		RequestContent stored = RequestContent.of(held.definition(), canonical, held.mode(), held.windowMillis());
		return compare(request, holder, stored, held.definition().payload());
	}

	/**
	 * Compare a request with an earlier one of the same batch.
	 * @return the conflict, or {@code null} if the requests are equivalent
	 */
	@Nullable Conflict withEarlier(JobRequest request, JobRequest earlier, UUID holder) {
		return (earlier.content() != null) ? compare(request, holder, earlier.content(), earlier.definition().payload())
				: null;
	}

	private static @Nullable Conflict compare(JobRequest request, UUID holder, RequestContent stored, String payload) {
		KeyBinding key = request.key();
		RequestContent content = request.content();
		if (key == null || content == null) {
			return null;
		}
		List<String> fields = content.differences(stored);
		if (fields.isEmpty()) {
			return null;
		}
		List<String> pointers = (fields.contains(JobField.PAYLOAD.label())) ? JsonDifference.between(payload,
				request.definition().payload(), EnqueueIdempotencyConflictException.MAX_POINTERS) : List.of();
		return new Conflict(key.key().scope(), key.key().preview(), key.digest().text(), key.key().length(), holder,
				fields, pointers);
	}

}
