package dev.workhorse.handler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that runs the jobs of one type. The method takes the payload (any type
 * JSON can be read as, including {@code JsonNode}, {@code String}, {@code byte[]} and
 * generic types), a {@link JobContext}, and the {@link EventMetadata} of the event the
 * job was made for; each of them once or not at all, in any order. What it returns is
 * stored as the job's result; an exception fails the attempt, and the job is retried by
 * its retry policy.
 * <p>
 * Delivery is at least once: an attempt whose node died, or whose result could not be
 * stored in time, is repeated. Make the effects of a handler safe to repeat, for example
 * by passing {@link JobContext#jobId()} on as the idempotency key of an external call, or
 * let it be {@linkplain #transactional() transactional}.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobHandler {

	/**
	 * The job type the method runs, 1 to 256 UTF-8 bytes. One application has at most one
	 * handler for a type.
	 * @return the job type
	 */
	String value();

	/**
	 * The number of attempts for jobs that were enqueued without one, 1 to 100.
	 * @return the number of attempts; 0 stands for {@code workhorse.enqueue.max-attempts}
	 * as it was at acceptance
	 */
	int maxAttempts() default 0;

	/**
	 * The delay between attempts for jobs that were enqueued without a policy, in the
	 * text form of {@code RetryPolicy}, for example {@code fixed:PT10S}.
	 * @return the retry policy; empty stands for {@code workhorse.enqueue.retry-policy}
	 * as it was at acceptance
	 */
	String retryPolicy() default "";

	/**
	 * Whether the method runs in a transaction on the job store's {@code DataSource} that
	 * also stores the success of the job: what it writes there, and the jobs it enqueues,
	 * take effect exactly once. An exception, a lost lease, a timeout and a failed commit
	 * roll all of it back. Effects elsewhere are not covered, nor is a method that
	 * suspends the transaction. The transaction is read committed and holds a connection
	 * for as long as the method runs.
	 * @return whether the method is transactional
	 */
	boolean transactional() default false;

	/**
	 * Exceptions that fail a job at once, however many attempts are left, because trying
	 * again is pointless. Subclasses count. The same can be said for one occasion with
	 * {@link PermanentFailureException}.
	 * @return the exception classes; none by default
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/**
	 * How long succeeded jobs stay, as an ISO-8601 duration of 0 to 3,650 days, for
	 * example {@code PT1H}. Zero removes them the next time that is cleaned up.
	 * @return the retention; empty stands for {@code workhorse.retention.succeeded}
	 */
	String succeededRetention() default "";

	/**
	 * How long failed jobs, the dead letters, stay, in the same form.
	 * @return the retention; empty stands for {@code workhorse.retention.failed}
	 */
	String failedRetention() default "";

	/**
	 * How long cancelled jobs stay, in the same form.
	 * @return the retention; empty stands for {@code workhorse.retention.cancelled}
	 */
	String cancelledRetention() default "";

	/**
	 * Events that each become a job of this type, besides the jobs that are enqueued. The
	 * subscription is stored when the application starts and outlives it, until somebody
	 * ends it.
	 * @return the names of the events; none by default
	 */
	String[] event() default {};

	/**
	 * Conditions on the payload of an event, all of which must hold, in the form
	 * {@code /pointer = value}: a JSON pointer and the JSON value that must be there, for
	 * example {@code /currency = 'EUR'}. They hold for each of the events.
	 * @return at most 8 conditions; none for every event
	 */
	String[] filter() default {};

	/**
	 * The members of an event's payload that are passed on.
	 * @return the names of the members; none for the whole payload
	 */
	String[] payloadFields() default {};

	/**
	 * The queue of the jobs that events become. Jobs that are enqueued say their queue
	 * themselves.
	 * @return the queue; empty stands for {@code default}
	 */
	String eventQueue() default "";

}
