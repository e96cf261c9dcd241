package dev.workhorse.operations;

import java.time.Instant;

/**
 * A queue none of whose jobs is claimed.
 *
 * @param queue the queue
 * @param pausedAt since when
 * @param by who paused it
 * @param reason why
 */
public record PausedQueue(String queue, Instant pausedAt, String by, String reason) {

}
