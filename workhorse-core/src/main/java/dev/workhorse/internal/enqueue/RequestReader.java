package dev.workhorse.internal.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.KeyMode;
import dev.workhorse.RetryPolicy;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a caller passed into a checked {@link JobRequest}. Everything that can be
 * wrong with a request is found here, before any SQL.
 */
final class RequestReader {

	private final EnqueueSettings settings;

	private final PayloadCodec codec;

	private final KeyHasher hasher;

	private final JsonCanonicalizer canonicalizer;

	private final TimeOrderedIds ids = new TimeOrderedIds();

	RequestReader(EnqueueSettings settings, PayloadCodec codec, KeyHasher hasher) {
		this.settings = settings;
		this.codec = codec;
		this.hasher = hasher;
		this.canonicalizer = new JsonCanonicalizer("payload", settings.maxPayloadBytes());
	}

	JobRequest read(String type, @Nullable Object payload, EnqueueOptions options) {
		Bounds.name("type", type);
		EnqueueOptions.Fields fields = options.fields();
		String queue = Objects.requireNonNullElse(fields.queue(), EnqueueOptions.DEFAULT_QUEUE);
		int priority = Objects.requireNonNullElse(fields.priority(), EnqueueOptions.DEFAULT_PRIORITY);
		int maxAttempts = Objects.requireNonNullElse(fields.maxAttempts(), this.settings.maxAttempts());
		RetryPolicy retryPolicy = Objects.requireNonNullElse(fields.retryPolicy(), this.settings.retryPolicy());
		List<String> tags = Objects.requireNonNullElse(fields.tags(), List.of());
		List<String> explicit = explicit(fields);
		String json = this.codec.write(payload);
		String canonical = this.canonicalizer.canonical(json);
		KeyBinding key = null;
		RequestContent content = null;
		if (fields.idempotency() != null) {
			key = binding(fields.idempotency());
			content = new RequestContent(explicit).put(RequestField.QUEUE, queue)
				.put(RequestField.TYPE, type)
				.putPayload(canonical)
				.put(RequestField.PRIORITY, priority)
				.putTags(tags)
				.putRunAt(fields.runAt())
				.put(RequestField.MAX_ATTEMPTS, maxAttempts)
				.put(RequestField.RETRY_POLICY, retryPolicy.text())
				.put(RequestField.MODE, key.mode().label())
				.put(RequestField.TTL, key.windowMillis());
		}
		return new JobRequest(this.ids.next(), queue, type, json, priority, fields.runAt(), tags, maxAttempts,
				retryPolicy.text(), explicit, key, content);
	}

	private KeyBinding binding(Idempotency idempotency) {
		Duration ttl = Objects.requireNonNullElse(idempotency.ttl(), this.settings.idempotencyTtl());
		return new KeyBinding(idempotency.key(), this.hasher.digest(KeySpace.ENQUEUE, idempotency.key()),
				KeyMode.IDEMPOTENCY, ttl.toMillis());
	}

	private static List<String> explicit(EnqueueOptions.Fields fields) {
		List<String> names = new ArrayList<>();
		addIfGiven(names, RequestField.MAX_ATTEMPTS, fields.maxAttempts());
		addIfGiven(names, RequestField.PRIORITY, fields.priority());
		addIfGiven(names, RequestField.QUEUE, fields.queue());
		addIfGiven(names, RequestField.RETRY_POLICY, fields.retryPolicy());
		addIfGiven(names, RequestField.RUN_AT, fields.runAt());
		addIfGiven(names, RequestField.TAGS, fields.tags());
		addIfGiven(names, RequestField.TTL, (fields.idempotency() != null) ? fields.idempotency().ttl() : null);
		return names;
	}

	private static void addIfGiven(List<String> names, RequestField field, @Nullable Object value) {
		if (value != null) {
			names.add(field.label());
		}
	}

}
