package dev.workhorse.internal.wakeup;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes on that a queue has work: to the workers of this process at once, and to the
 * other nodes by a notification. Only ever a hint; polling finds what a hint misses.
 */
public final class WakeUps {

	private final List<Listener> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Be told of accepted jobs.
	 * @param listener the listener
	 */
	public void addListener(Listener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Be told no longer.
	 * @param listener the listener
	 */
	public void removeListener(Listener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * A job was accepted and committed.
	 * @param queue its queue
	 * @param delayMillis how long until it is due, 0 for at once
	 */
	public void accepted(String queue, long delayMillis) {
		for (Listener listener : this.listeners) {
			if (delayMillis > 0) {
				listener.onScheduled(Duration.ofMillis(delayMillis));
			}
			else {
				listener.onReady(queue);
			}
		}
	}

	/**
	 * A running execution was superseded and that is committed.
	 * @param jobId the execution
	 */
	public void superseded(UUID jobId) {
		this.listeners.forEach((listener) -> listener.onSuperseded(jobId));
	}

	/**
	 * An event was emitted and committed.
	 */
	public void emitted() {
		this.listeners.forEach(Listener::onEvent);
	}

	/**
	 * Told that there is, or will be, work.
	 */
	public interface Listener {

		/**
		 * A queue has a job that is due.
		 * @param queue the queue
		 */
		void onReady(String queue);

		/**
		 * A job will be due.
		 * @param delay how long until then
		 */
		default void onScheduled(Duration delay) {
		}

		/**
		 * A running execution was superseded.
		 * @param jobId the execution
		 */
		default void onSuperseded(UUID jobId) {
		}

		/**
		 * An event waits to be dispatched.
		 */
		default void onEvent() {
		}

	}

}
