package dev.workhorse;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The key is held for a different request. Nothing was written and no SQL failed, so the
 * caller's transaction stays usable: catch it and the other writes commit.
 */
public class EnqueueIdempotencyConflictException extends WorkhorseException {

	/** Most pointers reported for a payload. */
	public static final int MAX_POINTERS = 20;

	private final Conflict conflict;

	private final @Nullable Integer index;

	/**
	 * Create the exception.
	 * @param conflict what the requests differ in
	 * @param index the index of the request in its batch, {@code null} outside a batch
	 */
	public EnqueueIdempotencyConflictException(Conflict conflict, @Nullable Integer index) {
		super(((index != null) ? "Request " + index + " of the batch: " : "") + message(conflict));
		this.conflict = conflict;
		this.index = index;
	}

	private static String message(Conflict conflict) {
		return ("Key %s/%s (digest %s) is held by job %s for a different request: %s differ%s; "
				+ "send the original request again to get its job, or use another key")
			.formatted(conflict.scope(), conflict.keyPreview(), conflict.keyDigest(), conflict.existingJobId(),
					conflict.fields(),
					(conflict.payloadPointers().isEmpty()) ? "" : ", in the payload at " + conflict.payloadPointers());
	}

	/**
	 * Which request of a batch is in conflict.
	 * @return the index from 0, or {@code null} outside a batch
	 */
	public @Nullable Integer index() {
		return this.index;
	}

	/**
	 * The scope of the key.
	 * @return the scope
	 */
	public String scope() {
		return this.conflict.scope();
	}

	/**
	 * The bounded preview of the key.
	 * @return the preview
	 */
	public String keyPreview() {
		return this.conflict.keyPreview();
	}

	/**
	 * The digest by which operators find the key.
	 * @return the first 12 hex characters of the stored hash
	 */
	public String keyDigest() {
		return this.conflict.keyDigest();
	}

	/**
	 * The length of the key.
	 * @return the length in characters
	 */
	public int keyLength() {
		return this.conflict.keyLength();
	}

	/**
	 * The job that holds the key.
	 * @return the id of the existing job
	 */
	public UUID existingJobId() {
		return this.conflict.existingJobId();
	}

	/**
	 * The fields in which the requests differ.
	 * @return the field names, each once, sorted
	 */
	public List<String> fields() {
		return this.conflict.fields();
	}

	/**
	 * The places in the payload that differ, without their values.
	 * @return at most {@value #MAX_POINTERS} JSON pointers, empty if the payloads are
	 * equal; the empty pointer stands for the whole payload
	 */
	public List<String> payloadPointers() {
		return this.conflict.payloadPointers();
	}

	/**
	 * What the requests differ in.
	 *
	 * @param scope the scope of the key
	 * @param keyPreview the bounded preview of the key
	 * @param keyDigest the first 12 hex characters of the stored hash
	 * @param keyLength the length of the key in characters
	 * @param existingJobId the job that holds the key
	 * @param fields the field names, each once, sorted
	 * @param payloadPointers at most {@value #MAX_POINTERS} JSON pointers
	 */
	public record Conflict(String scope, String keyPreview, String keyDigest, int keyLength, UUID existingJobId,
			List<String> fields, List<String> payloadPointers) {

		public Conflict {
			fields = List.copyOf(fields);
			payloadPointers = List.copyOf(payloadPointers);
		}

	}

}
