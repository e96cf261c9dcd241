package dev.workhorse.internal.enqueue;

import java.time.Duration;
import java.util.Objects;

import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.KeyUse;
import dev.workhorse.Throttle;
import dev.workhorse.internal.enqueue.KeyBinding.DebounceTiming;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.job.JobReader.CheckedJob;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.sql.TimeOrderedIds;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a caller passed into a checked {@link JobRequest}. Everything that can be
 * wrong with a request is found here, before any SQL.
 */
final class RequestReader {

	private final EnqueueSettings settings;

	private final JobReader jobs;

	private final KeyHasher hasher;

	private final TimeOrderedIds ids = new TimeOrderedIds();

	RequestReader(EnqueueSettings settings, PayloadCodec codec, KeyHasher hasher) {
		this.settings = settings;
		this.jobs = new JobReader(settings, codec);
		this.hasher = hasher;
	}

	JobRequest read(String type, @Nullable Object payload, EnqueueOptions options) {
		CheckedJob job = this.jobs.read(type, payload, options.fields());
		KeyUse use = options.fields().key();
		KeyBinding key = (use != null) ? binding(use) : null;
		RequestContent content = (key != null)
				? RequestContent.of(job.definition(), job.canonicalPayload(), key.mode().label(), key.windowMillis())
				: null;
		return new JobRequest(this.ids.next(), job.definition(), key, content, null);
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

}
