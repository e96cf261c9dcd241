package dev.workhorse.internal.conductor;

import java.util.UUID;

import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeResult;
import org.jspecify.annotations.Nullable;

/**
 * What became of an invoke.
 *
 * @param result the answer to the caller
 * @param dueMillis how long until the execution is due, {@code null} if nothing new is to
 * be run
 * @param superseded the execution that was failed, {@code null} for none
 */
record InvokeDecision(InvokeResult result, @Nullable Long dueMillis, @Nullable UUID superseded) {

	/**
	 * The answer to a later invoke with the same key in the same batch.
	 */
	InvokeDecision later() {
		return switch (this.result.outcome()) {
			case RETAINED, THROTTLED -> new InvokeDecision(this.result, null, null);
			default ->
				new InvokeDecision(new InvokeResult(this.result.jobId(), InvokeOutcome.UPDATED), this.dueMillis, null);
		};
	}

	static InvokeDecision throttled() {
		return new InvokeDecision(new InvokeResult(null, InvokeOutcome.THROTTLED), null, null);
	}

}
