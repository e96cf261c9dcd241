package dev.workhorse.internal.enqueue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.workhorse.KeyMode;
import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.job.JobField;
import org.jspecify.annotations.Nullable;

/**
 * What counts when two requests are compared: every field by its resolved value in
 * canonical spelling, and which ones the caller gave. A field without a value is left
 * out, so that a field added by a later version changes nothing for those who do not use
 * it.
 */
final class RequestContent {

	/** Hashed first. A later form gets another name and leaves this one readable. */
	private static final String FORM = "workhorse-request/v1";

	private final Map<JobField, String> values = new EnumMap<>(JobField.class);

	private final Set<String> explicit;

	RequestContent(List<String> explicit) {
		this.explicit = Set.copyOf(explicit);
	}

	/**
	 * What counts of a job, as held in a mode.
	 */
	static RequestContent of(JobDefinition job, String canonicalPayload, String mode, long windowMillis) {
		JobField window = (mode.equals(KeyMode.IDEMPOTENCY.label())) ? JobField.TTL : JobField.WINDOW;
		return new RequestContent(job.explicit()).put(JobField.QUEUE, job.queue())
			.put(JobField.TYPE, job.type())
			.putPayload(canonicalPayload)
			.put(JobField.PRIORITY, job.priority())
			.put(JobField.CONCURRENCY_KEY, job.concurrencyKey())
			.putTags(job.tags())
			.put(JobField.RUN_AT, job.runAt())
			.put(JobField.MAX_ATTEMPTS, job.maxAttempts())
			.put(JobField.RETRY_POLICY, job.retryPolicy())
			.put(JobField.DEADLINE, job.deadline())
			.put(JobField.EXECUTION_TIMEOUT, job.timeoutMillis())
			.put(JobField.MODE, mode)
			.put(window, windowMillis);
	}

	RequestContent put(JobField field, @Nullable Object value) {
		if (value != null) {
			this.values.put(field, value.toString());
		}
		return this;
	}

	RequestContent putPayload(String canonicalJson) {
		byte[] digest = sha256().digest(canonicalJson.getBytes(StandardCharsets.UTF_8));
		return put(JobField.PAYLOAD, HexFormat.of().formatHex(digest));
	}

	RequestContent putTags(@Nullable List<String> tags) {
		return put(JobField.TAGS, (tags != null && !tags.isEmpty()) ? String.join("\0", tags) : null);
	}

	/**
	 * The 32 bytes that are equal for requests with equal resolved values.
	 */
	byte[] fingerprint() {
		MessageDigest digest = sha256();
		update(digest, FORM);
		this.values.forEach((field, value) -> {
			update(digest, field.label());
			update(digest, value);
		});
		return digest.digest();
	}

	/**
	 * The fields in which two requests differ. A field that both callers left out is the
	 * same in both, whatever the default was at the time.
	 * @return the names of the fields, sorted
	 */
	List<String> differences(RequestContent other) {
		boolean sameMode = Objects.equals(this.values.get(JobField.MODE), other.values.get(JobField.MODE));
		return Arrays.stream(JobField.values())
			.filter((field) -> !Objects.equals(this.values.get(field), other.values.get(field)))
			.filter((field) -> isGiven(field) || other.isGiven(field))
			// how long a key is held says nothing across modes
			.filter((field) -> sameMode || (field != JobField.TTL && field != JobField.WINDOW))
			.map(JobField::label)
			.sorted()
			.toList();
	}

	private boolean isGiven(JobField field) {
		return switch (field) {
			case MODE, TYPE, PAYLOAD, WINDOW -> true;
			default -> this.explicit.contains(field.label());
		};
	}

	private static void update(MessageDigest digest, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
		digest.update(bytes);
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
