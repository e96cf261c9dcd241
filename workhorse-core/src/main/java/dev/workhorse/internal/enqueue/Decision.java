package dev.workhorse.internal.enqueue;

import java.util.UUID;

import dev.workhorse.EnqueueIdempotencyConflictException.Conflict;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.KeyMode;
import dev.workhorse.NonReplaceableReason;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request.
 *
 * @param result the answer to the caller
 * @param dueMillis how long until the job is due, if the request was taken; {@code null}
 * if nothing new is to be run
 * @param conflict why the request is refused, {@code null} if it is not
 */
record Decision(EnqueueResult result, @Nullable Long dueMillis, @Nullable Conflict conflict) {

	static Decision accepted(UUID job, long dueMillis) {
		return new Decision(new EnqueueResult(job, EnqueueOutcome.ACCEPTED), dueMillis, null);
	}

	static Decision replaced(UUID job, long dueMillis) {
		return new Decision(new EnqueueResult(job, EnqueueOutcome.REPLACED), dueMillis, null);
	}

	static Decision nonReplaceable(UUID job, NonReplaceableReason reason) {
		return new Decision(new EnqueueResult(job, EnqueueOutcome.NON_REPLACEABLE, reason), null, null);
	}

	static Decision repeated(UUID job, @Nullable KeyBinding key, @Nullable Conflict conflict) {
		boolean throttled = key != null && key.mode() == KeyMode.THROTTLE;
		EnqueueOutcome outcome = (throttled) ? EnqueueOutcome.COALESCED : EnqueueOutcome.REPLAYED;
		return new Decision(new EnqueueResult(job, outcome), null, conflict);
	}

	/**
	 * The outcome as it is counted.
	 */
	String outcomeLabel() {
		return (this.conflict != null) ? "conflict" : this.result.outcome().label();
	}

}
