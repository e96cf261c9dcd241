package dev.workhorse.internal.worker;

import java.time.Duration;

import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.internal.worker.PostgresDispatch.Dispatched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes jobs of events. Every node with a worker does it, whatever its own queues and
 * handlers; nobody waits for anybody. It does not look by itself: hints and the
 * housekeeping, which sees pending events when it looks for due jobs, wake it.
 */
final class EventDispatcher {

	private static final Logger logger = LoggerFactory.getLogger(EventDispatcher.class);

	private static final Duration UNTIL_WOKEN = Duration.ofHours(1);

	private final PostgresDispatch dispatch;

	private final WakeUps wakeUps;

	private final Runnable onAwaited;

	private final Loop loop = new Loop("event-dispatcher", true, this::round);

	EventDispatcher(PostgresDispatch dispatch, WakeUps wakeUps, Runnable onAwaited) {
		this.dispatch = dispatch;
		this.wakeUps = wakeUps;
		this.onAwaited = onAwaited;
	}

	void start() {
		this.loop.start();
	}

	void wake() {
		this.loop.wake();
	}

	/**
	 * Begin no further dispatch.
	 */
	void stop() {
		this.loop.stop();
	}

	/**
	 * The same, and wait for one that is under way.
	 */
	void stop(long deadline) {
		this.loop.stop(deadline);
	}

	private Duration round() {
		Dispatched dispatched = this.dispatch.dispatch();
		if (dispatched.events() > 0) {
			logger.debug("Made {} jobs of {} events", dispatched.jobs(), dispatched.events());
		}
		dispatched.queues().forEach((queue) -> this.wakeUps.accepted(queue, 0));
		if (dispatched.awaited()) {
			this.onAwaited.run();
		}
		return (dispatched.more()) ? Duration.ZERO : UNTIL_WOKEN;
	}

}
