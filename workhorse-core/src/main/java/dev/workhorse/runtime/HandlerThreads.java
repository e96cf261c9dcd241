package dev.workhorse.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon platform threads for handlers.
 */
final class HandlerThreads implements ThreadFactory {

	private final AtomicInteger number = new AtomicInteger();

	@Override
	public Thread newThread(Runnable task) {
		Thread thread = new Thread(task, "workhorse-handler-" + this.number.incrementAndGet());
		thread.setDaemon(true);
		return thread;
	}

}
