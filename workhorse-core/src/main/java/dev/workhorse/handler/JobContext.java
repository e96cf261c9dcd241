package dev.workhorse.handler;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ParameterizedTypeReference;

/**
 * The running attempt, as its handler sees it. Valid until the handler returns.
 * <p>
 * A handler may go in steps that survive retries, crashes and restarts: checkpoints,
 * sleeps, children and waits for events. Each step has a name that is its identity within
 * the job, 1 to 256 UTF-8 bytes. A handler that waits is left by {@link SuspendExecution}
 * and called again from its top when the wait is over; the steps before it answer with
 * what is stored. So it must reach the same steps in the same order each time, on its own
 * thread. What it does between steps is repeated.
 */
public interface JobContext {

	/**
	 * The job's id, the same for every attempt; a good idempotency key for external
	 * calls.
	 * @return the job's id
	 */
	UUID jobId();

	/**
	 * The job's type.
	 * @return the type
	 */
	String type();

	/**
	 * The queue the job was taken from.
	 * @return the queue
	 */
	String queue();

	/**
	 * Which attempt this is.
	 * @return the number of the attempt, from 1
	 */
	int attempt();

	/**
	 * The last attempt the job gets.
	 * @return the number of attempts
	 */
	int maxAttempts();

	/**
	 * Whether this attempt has lost its lease to another one, for example because this
	 * node could not reach the database for too long. Its result will be refused, so a
	 * long handler may stop early. Known by the next heartbeat at the latest.
	 * @return whether the lease is lost
	 */
	boolean isLeaseLost();

	/**
	 * Whether an invoke with the same dedupe key has taken the place of this execution,
	 * which has failed thereby: its result will be refused, so a long handler may stop
	 * early. Known at once if the invoke came from the same process, else by the next
	 * heartbeat at the latest. The lease of a superseded execution is lost, too.
	 * @return whether it is superseded
	 */
	boolean isSuperseded();

	/**
	 * Whether somebody has asked for the job to be cancelled. A handler that then throws
	 * ends the job as cancelled; one that returns all the same has succeeded. Known by
	 * the next heartbeat at the latest.
	 * @return whether the job is to be cancelled
	 */
	boolean isCancelled();

	/**
	 * The time after which no further attempt starts.
	 * @return the deadline, or {@code null} for none
	 */
	@Nullable Instant deadline();

	/**
	 * Compute a value once: it is stored, and from then on every attempt gets the stored
	 * value without running the work. Should the node die between the work and the
	 * storing, the work runs again. Joins the transaction of a transactional handler, and
	 * any other on the job store's {@code DataSource}.
	 * @param <T> the type of the value
	 * @param <X> what the work may throw
	 * @param name the name of the step; used again, it answers with the first value
	 * @param type what the value is read as, JSON in between
	 * @param work computes the value, at most 1 MiB of JSON; may be {@code null}
	 * @return the value
	 * @throws X if the work throws; nothing is stored then
	 * @throws CheckpointReadException if the stored value does not fit the type
	 * @throws StepMismatchException if the stored steps are not the handler's
	 * @throws LeaseLostException if the attempt has lost its lease
	 */
	<T extends @Nullable Object, X extends Exception> T checkpoint(String name, Class<T> type,
			CheckpointWork<? extends T, X> work) throws X;

	/**
	 * Compute a value of a generic type once.
	 * @param <T> the type of the value
	 * @param <X> what the work may throw
	 * @param name the name of the step
	 * @param type what the value is read as
	 * @param work computes the value
	 * @return the value
	 * @throws X if the work throws
	 * @see #checkpoint(String, Class, CheckpointWork)
	 */
	<T extends @Nullable Object, X extends Exception> T checkpoint(String name, ParameterizedTypeReference<T> type,
			CheckpointWork<? extends T, X> work) throws X;

	/**
	 * Give the worker back and go on later, in the same attempt. The time counts from the
	 * moment the job is stored as waiting; a retry or a restart does not begin it anew.
	 * @param name the name of the step
	 * @param duration 1 ms to 365 days in whole milliseconds
	 */
	void sleep(String name, Duration duration);

	/**
	 * Give the worker back and go on at a given time, in the same attempt.
	 * @param name the name of the step
	 * @param time the time, by the database's clock, at most 365 days ahead; one that is
	 * over ends the wait at once
	 */
	void sleepUntil(String name, Instant time);

	/**
	 * Start a job as a child, once for each name, whatever attempt gets here first. Joins
	 * the caller's transaction as a checkpoint does. A child may have children of its
	 * own, up to 32 levels.
	 * @param name the name of the step
	 * @param type the job type
	 * @param payload what the handler is given, written as JSON
	 * @return the child's job
	 */
	default UUID invokeChild(String name, String type, @Nullable Object payload) {
		return invokeChild(name, type, payload, ChildOptions.defaults());
	}

	/**
	 * Start a job as a child, once for each name.
	 * @param name the name of the step
	 * @param type the job type
	 * @param payload what the handler is given, written as JSON
	 * @param options how the child is run
	 * @return the child's job
	 */
	UUID invokeChild(String name, String type, @Nullable Object payload, ChildOptions options);

	/**
	 * Wait for a child without holding a worker.
	 * @param <T> the type of the result
	 * @param name the name the child was started by
	 * @param type what its result is read as
	 * @return its result
	 * @throws ChildFailedException if it did not succeed
	 */
	default <T extends @Nullable Object> T awaitChild(String name, Class<T> type) {
		return awaitAll(List.of(name), type).get(0);
	}

	/**
	 * Wait for a child for a while.
	 * @param <T> the type of the result
	 * @param name the name the child was started by
	 * @param type what its result is read as
	 * @param timeout how long, 1 ms to 365 days in whole milliseconds
	 * @return its result
	 * @throws ChildFailedException if it did not succeed
	 * @throws WaitTimeoutException if it has not ended in time; it goes on
	 */
	default <T extends @Nullable Object> T awaitChild(String name, Class<T> type, Duration timeout) {
		return awaitAll(List.of(name), type, timeout).get(0);
	}

	/**
	 * Wait until all of several children have ended.
	 * @param <T> the type of the results
	 * @param names the names the children were started by
	 * @param type what each result is read as
	 * @return their results in the order of the names
	 * @throws ChildFailedException if one did not succeed, naming the first of them
	 */
	<T extends @Nullable Object> List<T> awaitAll(Collection<String> names, Class<T> type);

	/**
	 * Wait for several children for a while.
	 * @param <T> the type of the results
	 * @param names the names the children were started by
	 * @param type what each result is read as
	 * @param timeout how long, 1 ms to 365 days in whole milliseconds
	 * @return their results in the order of the names
	 * @throws ChildFailedException if one did not succeed, naming the first of them
	 * @throws WaitTimeoutException if one has not ended in time; all go on
	 */
	<T extends @Nullable Object> List<T> awaitAll(Collection<String> names, Class<T> type, Duration timeout);

	/**
	 * Wait for an event without holding a worker. Counts events that were emitted after
	 * the job was accepted, also before its handler came here, as long as they are stored
	 * ({@code workhorse.events.dedupe-retention} after their dispatch, a day by default).
	 * An event ends one wait of a job.
	 * @param <T> the type of the payload
	 * @param name the name of the step
	 * @param match which event
	 * @param type what its payload is read as
	 * @return the payload
	 */
	<T extends @Nullable Object> T awaitEvent(String name, EventMatch match, Class<T> type);

	/**
	 * Wait for an event for a while. It ends by an event or by the time, never both, and
	 * every later attempt gets the same end.
	 * @param <T> the type of the payload
	 * @param name the name of the step
	 * @param match which event
	 * @param type what its payload is read as
	 * @param timeout how long, 1 ms to 365 days in whole milliseconds
	 * @return the payload
	 * @throws WaitTimeoutException if none was emitted in time
	 * @see #awaitEvent(String, EventMatch, Class)
	 */
	<T extends @Nullable Object> T awaitEvent(String name, EventMatch match, Class<T> type, Duration timeout);

	/**
	 * Tell how far the handler is. Only the latest value is kept, and not every value on
	 * the way to it is stored. Shown by {@code Jobs.find}.
	 * @param value the progress, at most 1 MiB of JSON
	 */
	void progress(@Nullable Object value);

	/**
	 * The event that the job was made for.
	 * @return the event, or {@code null} if the job was made in another way
	 */
	@Nullable EventMetadata event();

}
