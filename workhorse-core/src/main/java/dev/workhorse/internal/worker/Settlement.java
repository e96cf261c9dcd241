package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.handler.HandlerRetention;
import dev.workhorse.internal.durable.WaitRequest;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended, on its way into the database.
 *
 * @param attempt the attempt
 * @param end how it ended
 * @param result the result as JSON text, {@code null} for none
 * @param error the error as JSON text, {@code null} for none
 * @param delay the delay before the next attempt, or before a suspended one goes on
 * @param duration how long the handler ran
 * @param waitsFor what a suspended attempt waits for as JSON text, otherwise {@code null}
 */
record Settlement(Attempt attempt, End end, @Nullable String result, @Nullable String error, Duration delay,
		Duration duration, @Nullable String waitsFor) {

	private Settlement(Attempt attempt, End end, @Nullable String result, @Nullable String error, Duration delay,
			Duration duration) {
		this(attempt, end, result, error, delay, duration, null);
	}

	static Settlement succeeded(Attempt attempt, @Nullable String result, Duration duration) {
		return new Settlement(attempt, End.SUCCEEDED, result, null, Duration.ZERO, duration);
	}

	static Settlement failed(Attempt attempt, String error, Duration duration) {
		return new Settlement(attempt, End.FAILED, null, error, Duration.ZERO, duration);
	}

	static Settlement retried(Attempt attempt, String error, Duration delay, Duration duration) {
		return new Settlement(attempt, End.RETRIED, null, error, delay, duration);
	}

	static Settlement suspended(Attempt attempt, WaitRequest wait, Duration duration) {
		Duration delay = wait.time().delay();
		return new Settlement(attempt, End.SUSPENDED, null, null, (delay != null) ? delay : Duration.ZERO, duration,
				wait.json(attempt.deadline()));
	}

	static Settlement released(Attempt attempt) {
		return new Settlement(attempt, End.RELEASED, null, null, Duration.ZERO, Duration.ZERO);
	}

	static Settlement notRun(Attempt attempt, String error) {
		return new Settlement(attempt, End.NOT_RUN, null, error, Duration.ZERO, Duration.ZERO);
	}

	/**
	 * The same as it was stored: a request to cancel may have decided otherwise.
	 */
	Settlement storedAs(String label) {
		boolean cancelled = label.equals(End.CANCELLED.label());
		return (cancelled) ? new Settlement(this.attempt, End.CANCELLED, null, null, Duration.ZERO, this.duration)
				: this;
	}

	boolean isSuspended() {
		return this.end == End.SUSPENDED;
	}

	/**
	 * The parent that may wait for this end, {@code null} for none.
	 */
	@Nullable UUID parent() {
		return (this.end.isFinal() || isSuspended()) ? this.attempt.job().origin().parentId() : null;
	}

	/**
	 * Whether what a transactional handler did is committed together with its end.
	 */
	boolean isCommitted() {
		return this.end == End.SUCCEEDED || this.end == End.SUSPENDED;
	}

	/**
	 * How many attempts the job has had: one that never ran is not counted.
	 */
	int countedAttempts() {
		return (this.end.counts() || this.attempt.job().origin().resumed()) ? this.attempt.attempt()
				: this.attempt.attempt() - 1;
	}

	/**
	 * How long the handler wants its job to stay once it has ended, {@code null} for as
	 * long as others.
	 */
	@Nullable Duration retention() {
		HandlerRetention retention = this.attempt.definition().retention();
		return switch (this.end) {
			case SUCCEEDED -> retention.succeeded();
			case FAILED, NOT_RUN -> retention.failed();
			case CANCELLED -> retention.cancelled();
			default -> null;
		};
	}

	/**
	 * The same if somebody asked for it to be cancelled meanwhile.
	 */
	@Nullable Duration retentionIfCancelled() {
		return this.attempt.definition().retention().cancelled();
	}

	/**
	 * How much text there is to store.
	 */
	int length() {
		return ((this.waitsFor != null) ? this.waitsFor.length() : 0)
				+ ((this.result != null) ? this.result.length() : 0) + ((this.error != null) ? this.error.length() : 0);
	}

	/**
	 * The ends of an attempt.
	 */
	enum End {

		/** The handler returned. */
		SUCCEEDED("succeeded", true),

		/** The handler failed for the last time. */
		FAILED("failed", true),

		/** There was no attempt or no time left, so the handler did not run. */
		NOT_RUN("failed", false),

		/** Somebody asked for it to be cancelled. */
		CANCELLED("cancelled", true),

		/** The handler failed and gets another attempt. */
		RETRIED("retried", true),

		/** The handler waits, without a thread. */
		SUSPENDED("suspended", true),

		/** Given back to be run by another node. */
		RELEASED("released", false);

		private final String label;

		private final boolean counts;

		End(String label, boolean counts) {
			this.label = label;
			this.counts = counts;
		}

		/**
		 * Whether the job has ended with it.
		 */
		boolean isFinal() {
			return this == SUCCEEDED || this == FAILED || this == NOT_RUN || this == CANCELLED;
		}

		boolean counts() {
			return this.counts;
		}

		String label() {
			return this.label;
		}

	}

}
