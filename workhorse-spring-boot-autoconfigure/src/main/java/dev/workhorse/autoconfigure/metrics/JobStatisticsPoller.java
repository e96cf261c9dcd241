package dev.workhorse.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.workhorse.operations.JobStatistics;
import dev.workhorse.operations.Jobs;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps the gauges up to date, at regular intervals and however often they are scraped.
 * The counts are taken once for all nodes; on all others this reads one row.
 */
final class JobStatisticsPoller implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(JobStatisticsPoller.class);

	private static final int MOST_MISSED = 3;

	private final Jobs jobs;

	private final Duration interval;

	private final JobGauges gauges;

	private boolean failing;

	private @Nullable ScheduledThreadPoolExecutor schedule;

	JobStatisticsPoller(Jobs jobs, MeterRegistry registry, Duration interval) {
		this.jobs = jobs;
		this.interval = interval;
		this.gauges = new JobGauges(registry, interval.multipliedBy(MOST_MISSED).plusSeconds(1));
	}

	@Override
	public synchronized void start() {
		if (this.interval.isZero() || this.schedule != null) {
			return;
		}
		ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "workhorse-statistics");
			thread.setDaemon(true);
			return thread;
		});
		ScheduledFuture<?> unused = started.scheduleWithFixedDelay(this::poll, 0, this.interval.toMillis(),
				TimeUnit.MILLISECONDS);
		this.schedule = started;
	}

	private void poll() {
		try {
			// a little less, or one's own would be just too young every other time
			JobStatistics statistics = this.jobs.statistics(this.interval.multipliedBy(9).dividedBy(10));
			if (!statistics.takenAt().equals(Instant.EPOCH)) {
				this.gauges.update(statistics);
			}
			this.failing = false;
		}
		catch (RuntimeException ex) {
			if (!this.failing && !Thread.currentThread().isInterrupted()) {
				logger.warn("Cannot count jobs for the meters; tries again every {}", this.interval, ex);
			}
			this.failing = true;
		}
	}

	@Override
	public synchronized void stop() {
		if (this.schedule != null) {
			this.schedule.shutdownNow();
			this.schedule = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.schedule != null;
	}

}
