package dev.workhorse;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Accepts jobs. Every method joins the caller's transaction when there is one on the same
 * {@code DataSource}: the job exists if and only if that transaction commits. Without a
 * transaction each call is a short one of its own.
 * <p>
 * All methods throw {@link InvalidRequestException} before any SQL when the request
 * breaks a bound, {@link ReadOnlyTransactionException} inside a read-only transaction,
 * {@link EnqueueIdempotencyConflictException} when the key is held for a different
 * request, and {@link EnqueueKeyBusyException} when a configured
 * {@code workhorse.enqueue.key-wait} is over. None of these breaks the caller's
 * transaction. Instances are safe for use by any number of threads.
 */
public interface Queue {

	/**
	 * Enqueue a job with the default options, to run at once.
	 * @param type the job type, 1 to 256 UTF-8 bytes; the {@code @JobHandler} of that
	 * name runs it
	 * @param payload what the handler is given, written as JSON
	 * @return the id of the new job
	 */
	default UUID enqueue(String type, @Nullable Object payload) {
		return enqueueWithResult(type, payload, EnqueueOptions.defaults()).jobId();
	}

	/**
	 * Enqueue a job.
	 * @param type the job type
	 * @param payload what the handler is given, written as JSON
	 * @param options how to accept and run it
	 * @return the id of the job that stands for the request, new or original
	 */
	default UUID enqueue(String type, @Nullable Object payload, EnqueueOptions options) {
		return enqueueWithResult(type, payload, options).jobId();
	}

	/**
	 * Enqueue a job and learn what became of the request.
	 * @param type the job type
	 * @param payload what the handler is given, written as JSON
	 * @param options how to accept and run it
	 * @return the job's id and the outcome
	 */
	EnqueueResult enqueueWithResult(String type, @Nullable Object payload, EnqueueOptions options);

	/**
	 * Enqueue several jobs together, in a number of statements that does not depend on
	 * how many they are. All are accepted or answered, or, if one is refused, none: what
	 * the caller's transaction did before stays.
	 * <p>
	 * The same key twice is one job: the second request is a repeat of the first, or
	 * takes its place when debounced. One key in two modes is refused.
	 * @param requests at most 1,000 requests
	 * @return the answers in the order of the requests; none for no request
	 * @throws EnqueueIdempotencyConflictException with the index of the request that
	 * differs from the one its key is held for
	 */
	List<EnqueueResult> enqueueAll(List<EnqueueRequest> requests);

}
