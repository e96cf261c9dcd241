package dev.workhorse.internal.worker;

import dev.workhorse.CoreDatabase;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.internal.durable.DurableExecution;
import dev.workhorse.payload.Jackson2PayloadCodec;

/**
 * Attempts as a worker makes them, for tests of its parts.
 */
final class Attempts {

	private static final int MAX_BYTES = 1024 * 1024;

	private final DurableExecution durable;

	private final ProgressWriter progress;

	Attempts(CoreDatabase database) {
		this.durable = new DurableExecution(database.dataSource(), "workhorse", new Jackson2PayloadCodec(), MAX_BYTES,
				(child) -> null);
		this.progress = new ProgressWriter(database.jdbc(), "workhorse");
	}

	Attempt of(ClaimedJob job, HandlerDefinition definition) {
		return new Attempt(job, definition, this.durable, this.progress);
	}

	ProgressWriter progress() {
		return this.progress;
	}

}
