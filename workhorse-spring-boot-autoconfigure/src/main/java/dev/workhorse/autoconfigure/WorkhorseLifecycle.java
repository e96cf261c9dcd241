package dev.workhorse.autoconfigure;

import java.time.Duration;

import dev.workhorse.runtime.Workhorse;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts to run jobs last and stops first: handlers may use everything else in the
 * application, from the web server to the connection pools, until they have ended.
 */
final class WorkhorseLifecycle implements SmartLifecycle, DisposableBean {

	private final Workhorse workhorse;

	private final Duration grace;

	WorkhorseLifecycle(Workhorse workhorse, Duration grace) {
		this.workhorse = workhorse;
		this.grace = grace;
	}

	@Override
	public void start() {
		this.workhorse.start();
	}

	// Stops on the calling thread, so that the grace period is the only limit: the
	// context
	// waits for a phase without its own timeout until this method returns.
	@Override
	public void stop() {
		this.workhorse.stop(this.grace);
	}

	@Override
	public boolean isRunning() {
		return this.workhorse.isRunning();
	}

	// A context whose start failed half way destroys its beans without stopping them.
	@Override
	public void destroy() {
		stop();
	}

}
