package dev.workhorse.internal.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.workhorse.Bounds;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueFields;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.KeyUse;
import dev.workhorse.RetryPolicy;
import dev.workhorse.Throttle;
import dev.workhorse.internal.enqueue.JobRequest.JobDefinition;
import dev.workhorse.internal.enqueue.KeyBinding.DebounceTiming;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.sql.TimeOrderedIds;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadTooDeepException;
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
		EnqueueFields fields = options.fields();
		String json = write(payload);
		String canonical = this.canonicalizer.canonical(json);
		JobDefinition definition = definition(type, json, fields);
		KeyBinding key = (fields.key() != null) ? binding(fields.key()) : null;
		RequestContent content = (key != null) ? definition.content(canonical, key.mode().label(), key.windowMillis())
				: null;
		return new JobRequest(this.ids.next(), definition, key, content, null);
	}

	private String write(@Nullable Object payload) {
		try {
			return this.codec.write(payload);
		}
		catch (PayloadTooDeepException ex) {
			InvalidRequestException invalid = new InvalidRequestException("payload",
					"JSON at most %,d levels deep".formatted(JsonCanonicalizer.MAX_DEPTH),
					"nested deeper, or containing itself");
			invalid.initCause(ex);
			throw invalid;
		}
	}

	private JobDefinition definition(String type, String json, EnqueueFields fields) {
		RetryPolicy retryPolicy = Objects.requireNonNullElse(fields.retryPolicy(), this.settings.retryPolicy());
		Duration timeout = fields.executionTimeout();
		return new JobDefinition(Objects.requireNonNullElse(fields.queue(), EnqueueOptions.DEFAULT_QUEUE), type, json,
				Objects.requireNonNullElse(fields.priority(), EnqueueOptions.DEFAULT_PRIORITY), fields.concurrencyKey(),
				fields.runAt(), Objects.requireNonNullElse(fields.tags(), List.of()),
				Objects.requireNonNullElse(fields.maxAttempts(), this.settings.maxAttempts()), retryPolicy.text(),
				fields.deadline(), (timeout != null) ? timeout.toMillis() : null, explicit(fields));
	}

	private KeyBinding binding(KeyUse use) {
		long window;
		DebounceTiming timing = null;
		if (use instanceof Idempotency idempotency) {
			window = Objects.requireNonNullElse(idempotency.ttl(), this.settings.idempotencyTtl()).toMillis();
		}
		else if (use instanceof Throttle throttle) {
			window = throttle.window().toMillis();
		}
		else {
			Debounce debounce = (Debounce) use;
			window = debounce.window().toMillis();
			timing = timing(debounce, window);
		}
		return new KeyBinding(use.key(), this.hasher.digest(KeySpace.ENQUEUE, use.key()), use.mode(), window, timing);
	}

	private static DebounceTiming timing(Debounce debounce, long window) {
		Duration maxDelay = (debounce instanceof Debounce.Reset reset) ? reset.maxDelay() : null;
		Long maxDelayMillis = (maxDelay != null) ? maxDelay.toMillis() : null;
		long delay = (maxDelayMillis != null) ? Math.min(window, maxDelayMillis) : window;
		return new DebounceTiming(delay, maxDelayMillis, debounce instanceof Debounce.Preserve);
	}

	private static List<String> explicit(EnqueueFields fields) {
		List<String> names = new ArrayList<>();
		addIfGiven(names, RequestField.CONCURRENCY_KEY, fields.concurrencyKey());
		addIfGiven(names, RequestField.DEADLINE, fields.deadline());
		addIfGiven(names, RequestField.EXECUTION_TIMEOUT, fields.executionTimeout());
		addIfGiven(names, RequestField.MAX_ATTEMPTS, fields.maxAttempts());
		addIfGiven(names, RequestField.PRIORITY, fields.priority());
		addIfGiven(names, RequestField.QUEUE, fields.queue());
		addIfGiven(names, RequestField.RETRY_POLICY, fields.retryPolicy());
		addIfGiven(names, RequestField.RUN_AT, fields.runAt());
		addIfGiven(names, RequestField.TAGS, fields.tags());
		addIfGiven(names, RequestField.TTL,
				(fields.key() instanceof Idempotency idempotency) ? idempotency.ttl() : null);
		return names;
	}

	private static void addIfGiven(List<String> names, RequestField field, @Nullable Object value) {
		if (value != null) {
			names.add(field.label());
		}
	}

}
