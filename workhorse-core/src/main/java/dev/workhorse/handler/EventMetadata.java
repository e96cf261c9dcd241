package dev.workhorse.handler;

import java.time.Instant;
import java.util.UUID;

/**
 * The event that a job was made for.
 *
 * @param id the event's id, the same for all subscribers
 * @param name the event's name
 * @param emittedAt when it was emitted, by the database's clock
 */
public record EventMetadata(UUID id, String name, Instant emittedAt) {

}
