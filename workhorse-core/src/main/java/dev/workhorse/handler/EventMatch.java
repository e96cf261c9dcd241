package dev.workhorse.handler;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import dev.workhorse.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * Which event a handler waits for. Immutable: every method returns a copy.
 *
 * @param event the event's name, 1 to 256 UTF-8 bytes
 * @param filter what the payload must contain: JSON pointers and the value that must be
 * there, written as JSON and compared as JSON; at most 8, none for every event
 */
public record EventMatch(String event, Map<String, @Nullable Object> filter) {

	public EventMatch {
		Bounds.name("event", event);
		filter = Collections.unmodifiableMap(new TreeMap<>(filter));
	}

	/**
	 * Wait for any event of a name.
	 * @param event the event's name
	 * @return the match
	 */
	public static EventMatch of(String event) {
		return new EventMatch(event, Map.of());
	}

	/**
	 * Want an event whose payload has a value at a place, as well as those demanded
	 * before.
	 * @param pointer the place, a JSON pointer such as {@code /orderId}
	 * @param value the value, written as JSON
	 * @return a copy with the condition
	 */
	public EventMatch where(String pointer, @Nullable Object value) {
		Map<String, @Nullable Object> conditions = new TreeMap<>(this.filter);
		conditions.put(pointer, value);
		return new EventMatch(this.event, conditions);
	}

}
