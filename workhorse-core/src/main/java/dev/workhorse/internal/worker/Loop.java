package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.workhorse.internal.sql.DatabaseFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that works in rounds until it is stopped. Between rounds it waits as long as
 * the round said, or until it is woken. A round that throws is logged once, and the loop
 * backs off until a round succeeds again. A last round may follow the stop.
 */
final class Loop {

	private static final Logger logger = LoggerFactory.getLogger(Loop.class);

	private static final Duration FIRST_BACK_OFF = Duration.ofMillis(100);

	private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);

	private final String name;

	private final boolean daemon;

	private final Round round;

	private final Runnable last;

	private final Duration longestBackOff;

	private final Semaphore signal = new Semaphore(0);

	private volatile boolean running;

	private volatile boolean abandoned;

	private volatile @Nullable Duration backOff;

	private @Nullable Thread thread;

	Loop(String name, boolean daemon, Round round) {
		this(name, daemon, round, () -> {
		}, LONGEST_BACK_OFF);
	}

	Loop(String name, boolean daemon, Round round, Runnable last, Duration longestBackOff) {
		this.name = name;
		this.daemon = daemon;
		this.round = round;
		this.last = last;
		this.longestBackOff = (longestBackOff.compareTo(LONGEST_BACK_OFF) < 0) ? longestBackOff : LONGEST_BACK_OFF;
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
	 * Begin no further round but the last.
	 */
	void stop() {
		this.running = false;
		wake();
	}

	/**
	 * Stop, and wait for the end of the current round and of the last one. What is not
	 * over in time is given up.
	 * @param deadline in terms of {@link System#nanoTime()}
	 */
	synchronized void stop(long deadline) {
		stop();
		Thread stopping = this.thread;
		if (stopping == null) {
			return;
		}
		try {
			stopping.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (stopping.isAlive()) {
			this.abandoned = true;
			stopping.interrupt();
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
				break;
			}
		}
		if (!this.abandoned) {
			finish();
		}
	}

	private void finish() {
		try {
			this.last.run();
		}
		catch (RuntimeException | Error ex) {
			logger.info("{} could not finish its work: {}", this.name, DatabaseFailure.cause(ex));
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
			DatabaseFailure.log(logger, this.name + " failed and is tried again until it succeeds", ex);
		}
		Duration next = (last != null) ? last.multipliedBy(2) : FIRST_BACK_OFF;
		this.backOff = (next.compareTo(this.longestBackOff) > 0) ? this.longestBackOff : next;
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
