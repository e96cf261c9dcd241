package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Watches handlers that may only take so long.
 */
final class ExecutionTimeouts {

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, "workhorse-timeouts");
		thread.setDaemon(true);
		return thread;
	});

	ExecutionTimeouts() {
		// most handlers return long before their timeout
		this.timer.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Do something unless it is cancelled in time.
	 */
	Future<?> after(Duration timeout, Runnable action) {
		return this.timer.schedule(action, timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	void stop() {
		this.timer.shutdownNow();
	}

}
