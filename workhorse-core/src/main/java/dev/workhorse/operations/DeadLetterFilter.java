package dev.workhorse.operations;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant; what is {@code null} does not count.
 *
 * @param queue the queue
 * @param type the job type
 * @param errorType the class of the last exception
 * @param failedFrom failed at this time or later
 * @param failedUntil failed before this time
 */
public record DeadLetterFilter(@Nullable String queue, @Nullable String type, @Nullable String errorType,
		@Nullable Instant failedFrom, @Nullable Instant failedUntil) {

	/**
	 * All dead letters.
	 * @return the filter
	 */
	public static DeadLetterFilter all() {
		return new DeadLetterFilter(null, null, null, null, null);
	}

	/**
	 * Only those of a queue.
	 * @param queue the queue
	 * @return a copy with the queue
	 */
	public DeadLetterFilter inQueue(String queue) {
		return new DeadLetterFilter(queue, this.type, this.errorType, this.failedFrom, this.failedUntil);
	}

	/**
	 * Only those of a job type.
	 * @param type the job type
	 * @return a copy with the type
	 */
	public DeadLetterFilter ofType(String type) {
		return new DeadLetterFilter(this.queue, type, this.errorType, this.failedFrom, this.failedUntil);
	}

	/**
	 * Only those whose last exception was of a class.
	 * @param errorType the name of the class
	 * @return a copy with the class
	 */
	public DeadLetterFilter withError(String errorType) {
		return new DeadLetterFilter(this.queue, this.type, errorType, this.failedFrom, this.failedUntil);
	}

	/**
	 * Only those that failed within a time.
	 * @param from failed at this time or later
	 * @param until failed before this time
	 * @return a copy with the time
	 */
	public DeadLetterFilter failedBetween(Instant from, Instant until) {
		return new DeadLetterFilter(this.queue, this.type, this.errorType, from, until);
	}

}
