package dev.workhorse.handler;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.workhorse.Bounds;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;

/**
 * Which events a handler gets a job for, and what of them. Immutable: every method
 * returns a copy.
 *
 * @param event the event's name, 1 to 256 UTF-8 bytes
 * @param queue the queue of the jobs, 1 to 256 UTF-8 bytes
 * @param filter what the payload must contain: JSON pointers and the JSON value that must
 * be there, compared as JSON; at most 8, none for every event
 * @param payloadFields the members of the payload that are passed on; none for the whole
 * payload
 */
public record Subscription(String event, String queue, Map<String, String> filter, List<String> payloadFields) {

	/** Most pointers of a filter. */
	public static final int MAX_POINTERS = 8;

	/** Most members of a payload that can be named. */
	public static final int MAX_PAYLOAD_FIELDS = 100;

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	public Subscription {
		Bounds.name("event", event);
		Bounds.name("queue", queue);
		filter = checkFilter(filter);
		if (filter.size() > MAX_POINTERS) {
			throw new InvalidRequestException("filter", "at most %d pointers".formatted(MAX_POINTERS),
					"%d".formatted(filter.size()));
		}
		payloadFields = List.copyOf(payloadFields);
		if (payloadFields.size() > MAX_PAYLOAD_FIELDS) {
			throw new InvalidRequestException("payloadFields", "at most %d".formatted(MAX_PAYLOAD_FIELDS),
					"%d".formatted(payloadFields.size()));
		}
		payloadFields.forEach((field) -> Bounds.name("payloadFields", field));
	}

	/**
	 * Subscribe to all events of a name, with their whole payload.
	 * @param event the event's name
	 * @return a subscription in the queue {@code default}
	 */
	public static Subscription to(String event) {
		return new Subscription(event, EnqueueOptions.DEFAULT_QUEUE, Map.of(), List.of());
	}

	/**
	 * Put the jobs into another queue.
	 * @param queue the queue, 1 to 256 UTF-8 bytes
	 * @return a copy with the queue
	 */
	public Subscription queue(String queue) {
		return new Subscription(this.event, queue, this.filter, this.payloadFields);
	}

	/**
	 * Want only events whose payload has a value at a place, as well as those demanded
	 * before.
	 * @param pointer the place, a JSON pointer such as {@code /currency}
	 * @param json the value as JSON, compared as JSON: {@code 1} is {@code 1.0}, and
	 * {@code null} is not an absent member; a string may be in single quotes
	 * @return a copy with the condition
	 */
	public Subscription where(String pointer, String json) {
		Map<String, String> conditions = new TreeMap<>(this.filter);
		if (conditions.put(pointer, json) != null) {
			throw new InvalidRequestException("filter", "one value for each pointer", "two at " + pointer);
		}
		return new Subscription(this.event, this.queue, conditions, this.payloadFields);
	}

	/**
	 * Want only events that meet a condition in the form {@code /pointer = value}, for
	 * example {@code /currency = 'EUR'}, as well as those demanded before.
	 * @param condition the condition, split at its first equals sign
	 * @return a copy with the condition
	 */
	public Subscription where(String condition) {
		int equals = condition.indexOf('=');
		if (equals < 0) {
			throw new InvalidRequestException("filter", "conditions such as /currency = 'EUR'", "'" + condition + "'");
		}
		return where(condition.substring(0, equals).strip(), condition.substring(equals + 1).strip());
	}

	/**
	 * Pass on a part of the payload, which is then an object with these members alone.
	 * @param payloadFields names of members of the payload; one that is absent there is
	 * absent here
	 * @return a copy with the members
	 */
	public Subscription payloadFields(String... payloadFields) {
		return new Subscription(this.event, this.queue, this.filter, List.of(payloadFields));
	}

	private static Map<String, String> checkFilter(Map<String, String> filter) {
		Map<String, String> checked = new TreeMap<>();
		filter.forEach((pointer, json) -> {
			checkPointer(pointer);
			checked.put(pointer, checkValue(pointer, json));
		});
		return Collections.unmodifiableMap(checked);
	}

	private static void checkPointer(String pointer) {
		boolean escaped = pointer.replace("~0", "").replace("~1", "").indexOf('~') < 0;
		if (!pointer.startsWith("/") || !escaped) {
			throw new InvalidRequestException("filter", "JSON pointers such as /currency", "'" + pointer + "'");
		}
		Bounds.name("filter", pointer);
	}

	private static String checkValue(String pointer, String json) {
		try {
			JsonNode value = JSON.readTree(json);
			if (!value.isMissingNode() && json.indexOf('\0') < 0 && !json.contains("\\u0000")) {
				return value.toString();
			}
		}
		catch (JacksonException ex) {
			// said below, with the place
		}
		throw new InvalidRequestException("filter",
				"JSON values such as 'EUR' in quotes, 1 or true, but at %s".formatted(pointer), json);
	}

}
