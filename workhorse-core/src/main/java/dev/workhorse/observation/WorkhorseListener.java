package dev.workhorse.observation;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Told what happened, after it is committed. Called on the thread that did the work, so
 * an implementation must be quick; what it throws is logged and ignored.
 */
public interface WorkhorseListener {

	/**
	 * A request was decided and its transaction, if any, has committed.
	 * @param decided the decision
	 */
	default void onEnqueue(EnqueueDecided decided) {
	}

	/**
	 * An invoke was decided and its transaction, if any, has committed.
	 * @param decided the decision
	 */
	default void onInvoke(InvokeDecided decided) {
	}

	/**
	 * An event was emitted, or found to be a repeat, and its transaction, if any, has
	 * committed.
	 * @param decided the decision
	 */
	default void onEmit(EmitDecided decided) {
	}

	/**
	 * A batch of jobs was claimed.
	 * @param queue the queue
	 * @param jobs how many jobs were claimed, at least one
	 */
	default void onClaim(String queue, int jobs) {
	}

	/**
	 * An attempt begins, on its handler's thread.
	 * @param started the attempt
	 */
	default void onAttemptStart(AttemptStarted started) {
	}

	/**
	 * The ends of some attempts were stored together.
	 * @param attempts the number of attempts, at least one
	 */
	default void onSettle(int attempts) {
	}

	/**
	 * This node has cleaned up.
	 * @param keys how many expired keys were freed
	 * @param jobs how many finished jobs were removed
	 */
	default void onMaintenance(long keys, long jobs) {
	}

	/**
	 * An attempt ended and its end is stored.
	 * @param ended the attempt
	 */
	default void onAttemptEnd(AttemptEnded ended) {
	}

	/**
	 * A write of an attempt was refused because its lease had been lost.
	 * @param jobId the job
	 * @param queue the queue
	 * @param type the job type
	 */
	default void onLeaseLost(UUID jobId, String queue, String type) {
	}

	/**
	 * The time of an attempt is over, so it fails. Its handler is interrupted and keeps
	 * its slot until it returns: {@link #onLateReturn} follows.
	 * @param jobId the job
	 * @param queue the queue
	 * @param type the job type
	 */
	default void onTimeout(UUID jobId, String queue, String type) {
	}

	/**
	 * A handler whose time was over has returned, or thrown. That is refused, and its
	 * slot is free again.
	 * @param jobId the job
	 * @param queue the queue
	 * @param type the job type
	 * @param late how long after its timeout
	 */
	default void onLateReturn(UUID jobId, String queue, String type, Duration late) {
	}

	/**
	 * A decision on an enqueue request.
	 *
	 * @param jobId the job that stands for the request, {@code null} for an invoke that
	 * was throttled
	 * @param mode the mode of the key, or {@code none}
	 * @param outcome the outcome
	 * @param queue the queue of the request
	 * @param type the job type of the request
	 */
	record EnqueueDecided(@Nullable UUID jobId, String mode, String outcome, String queue, String type) {

	}

	/**
	 * An attempt that begins.
	 *
	 * @param jobId the job
	 * @param queue the queue
	 * @param type the job type
	 * @param attempt the number of the attempt, from 1
	 * @param waited how long the job had been due
	 */
	record AttemptStarted(UUID jobId, String queue, String type, int attempt, Duration waited) {

	}

	/**
	 * A decision on an invoke.
	 *
	 * @param jobId the execution that stands for the invoke, {@code null} if it was
	 * throttled
	 * @param mode {@code dedupe}, {@code throttle-slot}, {@code debounce-slot} or
	 * {@code none}
	 * @param outcome the outcome
	 * @param queue the queue of the invoke
	 * @param type the task
	 */
	record InvokeDecided(@Nullable UUID jobId, String mode, String outcome, String queue, String type) {

	}

	/**
	 * A decision on an event.
	 *
	 * @param eventId the event that stands for the call
	 * @param event the event's name
	 * @param outcome {@code emitted}, or {@code repeated} for a key that an earlier event
	 * holds
	 */
	record EmitDecided(UUID eventId, String event, String outcome) {

	}

	/**
	 * An attempt whose end is stored.
	 *
	 * @param jobId the job
	 * @param queue the queue
	 * @param type the job type
	 * @param attempt the number of the attempt, from 1
	 * @param end {@code succeeded}, {@code failed} for the job's final failure,
	 * {@code retried}, {@code released}, {@code cancelled}, or {@code suspended} if the
	 * attempt goes on later
	 * @param duration how long the handler ran
	 */
	record AttemptEnded(UUID jobId, String queue, String type, int attempt, String end, Duration duration) {

	}

}
