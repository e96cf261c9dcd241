package dev.workhorse.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.UnhandledType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Due jobs that no living node would take, as of half a minute ago at the most: health is
 * asked for more often than that, and must not cost a count each time. Only one caller
 * counts; the others get what was counted before.
 */
final class UnhandledTypes {

	static final Duration FRESH = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(UnhandledTypes.class);

	private final Jobs jobs;

	private final ReentrantLock counting = new ReentrantLock();

	private volatile List<UnhandledType> counted = List.of();

	private volatile long next = System.nanoTime();

	UnhandledTypes(Jobs jobs) {
		this.jobs = jobs;
	}

	List<UnhandledType> get() {
		if (System.nanoTime() - this.next >= 0 && this.counting.tryLock()) {
			try {
				this.next = System.nanoTime() + FRESH.toNanos();
				this.counted = this.jobs.unhandledTypes();
			}
			catch (DataAccessException ex) {
				logger.debug("Cannot count unhandled jobs", ex);
			}
			finally {
				this.counting.unlock();
			}
		}
		return this.counted;
	}

}
