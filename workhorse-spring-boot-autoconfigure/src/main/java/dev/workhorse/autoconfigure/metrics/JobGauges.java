package dev.workhorse.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.workhorse.operations.JobStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges over the whole job store. A scrape reads the latest statistics from memory and
 * never touches the database. What has been seen once stays, at zero; numbers that are
 * too old are not shown.
 */
final class JobGauges {

	/** How many rows one gauge has at the most. */
	private static final int MOST_ROWS = 1_000;

	private final Gauge jobs;

	private final Gauge oldest;

	private final Gauge unhandled;

	private final Gauge keys;

	private final Duration longestSilence;

	private volatile long updatedAt;

	JobGauges(MeterRegistry registry, Duration longestSilence) {
		this.longestSilence = longestSilence;
		this.jobs = new Gauge(MultiGauge.builder("workhorse.jobs")
			.description("Live jobs, each number counted up to 100,000")
			.baseUnit("jobs"), registry);
		this.oldest = new Gauge(MultiGauge.builder("workhorse.oldest.ready")
			.description("How long the longest waiting due job has been due")
			.baseUnit("seconds"), registry);
		this.unhandled = new Gauge(MultiGauge.builder("workhorse.unhandled")
			.description("Due jobs that no living node would take")
			.baseUnit("jobs"), registry);
		this.keys = new Gauge(
				MultiGauge.builder("workhorse.keys").description("Held keys, counted up to 100,000").baseUnit("keys"),
				registry);
	}

	void update(JobStatistics statistics) {
		Map<Tags, Double> counts = new HashMap<>();
		statistics.jobs()
			.forEach((count) -> counts.put(Tags.of("queue", count.queue(), "state", count.state().label()),
					(double) count.jobs()));
		Map<Tags, Double> ages = new HashMap<>();
		statistics.oldestReady()
			.forEach((queue, since) -> ages.put(Tags.of("queue", queue),
					Math.max(0, Duration.between(since, statistics.takenAt()).toMillis()) / 1000.0));
		Map<Tags, Double> types = new HashMap<>();
		statistics.unhandled()
			.forEach((type) -> types.put(Tags.of("queue", type.queue(), "type", type.type()), (double) type.jobs()));
		Map<Tags, Double> modes = new HashMap<>();
		statistics.keys().forEach((mode, count) -> modes.put(Tags.of("mode", mode), (double) count));
		this.updatedAt = System.nanoTime();
		this.jobs.update(counts);
		this.oldest.update(ages);
		this.unhandled.update(types);
		this.keys.update(modes);
	}

	private boolean isSilent() {
		return System.nanoTime() - this.updatedAt > this.longestSilence.toNanos();
	}

	/**
	 * One gauge with a row for each combination of tags.
	 */
	private final class Gauge {

		private final MultiGauge meter;

		private final Set<Tags> seen = new LinkedHashSet<>();

		private volatile Map<Tags, Double> values = Map.of();

		Gauge(MultiGauge.Builder meter, MeterRegistry registry) {
			this.meter = meter.register(registry);
		}

		void update(Map<Tags, Double> values) {
			this.values = values;
			boolean grown = false;
			for (Tags tags : values.keySet()) {
				grown |= this.seen.size() < MOST_ROWS && this.seen.add(tags);
			}
			if (grown) {
				List<MultiGauge.Row<?>> rows = new ArrayList<>();
				this.seen.forEach((tags) -> rows.add(MultiGauge.Row.of(tags, tags, this::value)));
				this.meter.register(rows);
			}
		}

		private double value(Tags tags) {
			return (isSilent()) ? Double.NaN : this.values.getOrDefault(tags, 0.0);
		}

	}

}
