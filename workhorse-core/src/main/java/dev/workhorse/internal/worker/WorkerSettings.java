package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;

/**
 * How a node runs jobs.
 *
 * @param name how the node is shown to people
 * @param queues the queues it works on
 * @param lease how long a claim holds without a heartbeat; heartbeats come three times as
 * often
 * @param pollInterval how often an idle queue is looked at
 * @param handlerThreads makes the threads that handlers run on
 */
public record WorkerSettings(String name, Map<String, QueueSettings> queues, Duration lease, Duration pollInterval,
		ThreadFactory handlerThreads) {

	/** The lease unless configured otherwise. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	/** The poll interval unless configured otherwise. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	private static final int BEATS_PER_LEASE = 3;

	public WorkerSettings {
		queues = Map.copyOf(queues);
		queues.keySet().forEach((queue) -> Bounds.name("queue", queue));
		between("lease", lease, Duration.ofMillis(100), Duration.ofHours(1));
		between("pollInterval", pollInterval, Duration.ofMillis(1), Duration.ofMinutes(1));
	}

	private static void between(String field, Duration value, Duration least, Duration most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw new InvalidRequestException(field, "%s to %s".formatted(least, most), value.toString());
		}
	}

	Duration heartbeat() {
		return this.lease.dividedBy(BEATS_PER_LEASE);
	}

	int slots() {
		return this.queues.values().stream().mapToInt(QueueSettings::concurrency).sum();
	}

}
