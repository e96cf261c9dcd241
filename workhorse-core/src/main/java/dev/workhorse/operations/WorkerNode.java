package dev.workhorse.operations;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A node that runs jobs.
 *
 * @param id its id for this run
 * @param name its name
 * @param queues the queues it works on
 * @param types the job types it handles
 * @param slots how many jobs it runs at once
 * @param startedAt when it started
 * @param aliveUntil until when it counts as alive without a further heartbeat
 * @param alive whether that time lies ahead
 */
public record WorkerNode(UUID id, String name, List<String> queues, List<String> types, int slots, Instant startedAt,
		Instant aliveUntil, boolean alive) {

}
