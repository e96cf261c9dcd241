package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that works in rounds until it is stopped. Between rounds it waits as long as
 * the round said, or until it is woken. A round that throws is logged once, and the loop
 * backs off until a round succeeds again.
 */
final class Loop {

	private static final Logger logger = LoggerFactory.getLogger(Loop.class);

	private static final Duration FIRST_BACK_OFF = Duration.ofMillis(100);

	private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);

	private final String name;

	private final boolean daemon;

	private final Round round;

	private final Semaphore signal = new Semaphore(0);

	private volatile boolean running;

	private volatile @Nullable Duration backOff;

	private @Nullable Thread thread;

	Loop(String name, boolean daemon, Round round) {
		this.name = name;
		this.daemon = daemon;
		this.round = round;
	}

	synchronized void start() {
		this.running = true;
		Thread started = new Thread(this::run, "workhorse-" + this.name);
		started.setDaemon(this.daemon);
		this.thread = started;
		started.start();
	}

	void wake() {
		this.signal.release();
	}

	/**
	 * Whether the last round failed.
	 */
	boolean isFailing() {
		return this.backOff != null;
	}

	/**
	 * Stop after the current round and wait for its end.
	 */
	synchronized void stop(Duration patience) {
		this.running = false;
		wake();
		Thread stopping = this.thread;
		if (stopping == null) {
			return;
		}
		try {
			stopping.join(Math.max(1, patience.toMillis()));
			if (stopping.isAlive()) {
				stopping.interrupt();
			}
		}
		catch (InterruptedException ex) {
			stopping.interrupt();
			Thread.currentThread().interrupt();
		}
		this.thread = null;
	}

	private void run() {
		while (this.running) {
			Duration wait = once();
			try {
				if (this.running && !wait.isZero() && this.signal.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
					this.signal.drainPermits();
				}
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	private Duration once() {
		try {
			Duration wait = this.round.run();
			if (this.backOff != null) {
				logger.info("{} works again", this.name);
				this.backOff = null;
			}
			return wait;
		}
		catch (RuntimeException | Error ex) {
			return backOff(ex);
		}
	}

	private Duration backOff(Throwable ex) {
		Duration last = this.backOff;
		if (!this.running) {
			return Duration.ZERO;
		}
		if (last == null) {
			logger.warn("{} failed and is tried again until it succeeds", this.name, ex);
		}
		Duration next = (last != null) ? last.multipliedBy(2) : FIRST_BACK_OFF;
		this.backOff = (next.compareTo(LONGEST_BACK_OFF) > 0) ? LONGEST_BACK_OFF : next;
		return this.backOff;
	}

	/**
	 * One round of work.
	 */
	@FunctionalInterface
	interface Round {

		/**
		 * Work once.
		 * @return how long to wait before the next round, zero for not at all
		 */
		Duration run();

	}

}
