package dev.workhorse.conductor;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Runs one execution for each dedupe key, the last invoke wins: an invoke updates the
 * execution that is waiting, supersedes the one that is running, and changes nothing
 * about one that has finished. Throttles and debounces by fixed slots of time, and emits
 * events. An execution is a job; its task is the job's type.
 * <p>
 * Every method joins the caller's transaction when there is one on the same
 * {@code DataSource}: rolled back, everything is as it was, a superseded execution
 * included. Without a transaction each call is a short one of its own. All methods throw
 * {@link dev.workhorse.InvalidRequestException} before any SQL when the request breaks a
 * bound, {@link dev.workhorse.ReadOnlyTransactionException} inside a read-only
 * transaction, and {@link dev.workhorse.EnqueueKeyBusyException} when a configured
 * {@code workhorse.enqueue.key-wait} is over. None of these breaks the caller's
 * transaction. Instances are safe for use by any number of threads.
 */
public interface Conductor {

	/**
	 * Invoke a task without a key, to run at once.
	 * @param task the task, 1 to 256 UTF-8 bytes; the {@code @JobHandler} of that name
	 * runs it
	 * @param payload what the handler is given, written as JSON
	 * @return the id of the new execution
	 */
	default UUID invoke(String task, @Nullable Object payload) {
		UUID job = invokeWithResult(task, payload, InvokeOptions.defaults()).jobId();
		if (job == null) {
			throw new IllegalStateException("Only a throttled invoke may create nothing");
		}
		return job;
	}

	/**
	 * Invoke a task.
	 * @param task the task
	 * @param payload what the handler is given, written as JSON
	 * @param options the key, and how to run it
	 * @return the id of the execution that stands for the invoke; {@code null} only for a
	 * throttled invoke that was dropped
	 */
	default @Nullable UUID invoke(String task, @Nullable Object payload, InvokeOptions options) {
		return invokeWithResult(task, payload, options).jobId();
	}

	/**
	 * Invoke a task and learn what became of it.
	 * @param task the task
	 * @param payload what the handler is given, written as JSON
	 * @param options the key, and how to run it
	 * @return the execution's id and the outcome
	 */
	InvokeResult invokeWithResult(String task, @Nullable Object payload, InvokeOptions options);

	/**
	 * Invoke several tasks together, in a number of statements that does not depend on
	 * how many they are: all take effect, or none. The same key twice is one execution
	 * with the last payload, and both positions get its id.
	 * @param requests at most 1,000 invokes
	 * @return the answers in the order of the invokes; none for no invoke
	 */
	List<InvokeResult> invokeAll(List<InvokeRequest> requests);

	/**
	 * Emit an event: each of its subscribers gets one job, exactly once.
	 * @param event the event's name, 1 to 256 UTF-8 bytes
	 * @param payload what subscribers are given, written as JSON
	 * @return the event's id
	 */
	default UUID emit(String event, @Nullable Object payload) {
		return emit(event, payload, EmitOptions.defaults());
	}

	/**
	 * Emit an event. No subscriber is no error.
	 * @param event the event's name
	 * @param payload what subscribers are given, written as JSON
	 * @param options the dedupe key
	 * @return the event's id, or that of the first event with the same key
	 */
	UUID emit(String event, @Nullable Object payload, EmitOptions options);

}
