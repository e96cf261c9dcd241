package dev.workhorse.internal.worker;

import java.util.List;

import dev.workhorse.CoreDatabase;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.internal.durable.Children;
import dev.workhorse.internal.durable.DurableExecution;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.observation.Interceptors;
import dev.workhorse.internal.observation.Listeners;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.payload.Jackson2PayloadCodec;

/**
 * Attempts as a worker makes them, for tests of its parts.
 */
final class Attempts {

	private final DurableExecution durable;

	private final ProgressWriter progress;

	Attempts(CoreDatabase database) {
		CallerTransaction transaction = new CallerTransaction(database.dataSource());
		Jackson2PayloadCodec codec = new Jackson2PayloadCodec();
		this.durable = new DurableExecution(transaction, "workhorse", codec, EnqueueSettings.DEFAULT_MAX_PAYLOAD_BYTES,
				new Children(transaction, "workhorse", EnqueueSettings.DEFAULTS, codec, new WakeUps(),
						new Listeners(List.of()), new Interceptors(List.of())));
		this.progress = new ProgressWriter(database.jdbc(), "workhorse");
	}

	Attempt of(ClaimedJob job, HandlerDefinition definition) {
		return new Attempt(job, definition, this.durable, this.progress);
	}

	ProgressWriter progress() {
		return this.progress;
	}

}
