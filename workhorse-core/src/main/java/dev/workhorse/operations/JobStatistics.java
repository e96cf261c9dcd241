package dev.workhorse.operations;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Counts over the whole job store, as they were at one time.
 *
 * @param takenAt when they were taken
 * @param jobs live jobs by queue and state
 * @param oldestReady since when the longest waiting due job of a queue is due, by queue
 * @param keys keys that are held, by mode
 * @param unhandled due jobs that no living node would take
 */
public record JobStatistics(Instant takenAt, List<QueueCount> jobs, Map<String, Instant> oldestReady,
		Map<String, Long> keys, List<UnhandledType> unhandled) {

}
