package dev.workhorse.operations;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A job type that subscribes, or did subscribe, to an event.
 *
 * @param event the event's name
 * @param type the job type
 * @param queue the queue of the jobs
 * @param filter the JSON pointers and values that are wanted, as a JSON object;
 * {@code null} for every event
 * @param payloadFields the members of the payload that are passed on; none for the whole
 * payload
 * @param declaredAt when it was first declared as it is now
 * @param endedAt when somebody ended it, {@code null} while it goes on
 * @param endedBy who ended it
 * @param endReason why
 */
public record DeclaredSubscription(String event, String type, String queue, @Nullable String filter,
		List<String> payloadFields, Instant declaredAt, @Nullable Instant endedAt, @Nullable String endedBy,
		@Nullable String endReason) {

}
