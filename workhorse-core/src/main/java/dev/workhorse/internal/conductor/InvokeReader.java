package dev.workhorse.internal.conductor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.workhorse.EnqueueKey;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.Slot;
import dev.workhorse.internal.conductor.InvokeKey.Mode;
import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.sql.TimeOrderedIds;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a caller passed into a checked {@link Invocation}, before any SQL.
 */
final class InvokeReader {

	private final JobReader jobs;

	private final KeyHasher hasher;

	private final TimeOrderedIds ids = new TimeOrderedIds();

	InvokeReader(JobReader jobs, KeyHasher hasher) {
		this.jobs = jobs;
		this.hasher = hasher;
	}

	Invocation read(InvokeRequest request) {
		InvokeOptions options = request.options();
		JobDefinition definition = this.jobs.read(request.task(), request.payload(), options.job().fields())
			.definition();
		Duration delay = options.delay();
		return new Invocation(this.ids.next(), definition, (delay != null) ? delay.toMillis() : null,
				key(definition, options.dedupeKey(), options.slot()), null);
	}

	private @Nullable InvokeKey key(JobDefinition job, @Nullable EnqueueKey dedupeKey, @Nullable Slot slot) {
		if (slot != null) {
			Mode mode = (slot.use() == Slot.Use.THROTTLE) ? Mode.THROTTLE_SLOT : Mode.DEBOUNCE_SLOT;
			List<String> parts = new ArrayList<>(
					List.of(mode.label(), Long.toString(slot.length().toSeconds()), job.type(), job.queue()));
			if (dedupeKey != null) {
				parts.add(dedupeKey.value());
			}
			return new InvokeKey(this.hasher.digest(KeySpace.SLOT, parts), mode, dedupeKey, slot.length().toMillis());
		}
		if (dedupeKey != null) {
			List<String> parts = List.of(job.type(), job.queue(), dedupeKey.value());
			return new InvokeKey(this.hasher.digest(KeySpace.DEDUPE, parts), Mode.DEDUPE, dedupeKey, null);
		}
		return null;
	}

}
