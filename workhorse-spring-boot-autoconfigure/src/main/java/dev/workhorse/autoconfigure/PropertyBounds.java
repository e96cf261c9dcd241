package dev.workhorse.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.workhorse.InvalidRequestException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Says which property is to blame when the core finds a setting out of its bounds. The
 * bounds themselves are known in one place, the core.
 */
final class PropertyBounds {

	private static final Map<String, Property> PROPERTIES = new HashMap<>();

	static {
		add("schema", "workhorse.schema.name", (properties) -> properties.schema().name());
		add("idempotencyTtl", "workhorse.enqueue.idempotency-ttl",
				(properties) -> properties.enqueue().idempotencyTtl());
		add("maxAttempts", "workhorse.enqueue.max-attempts", (properties) -> properties.enqueue().maxAttempts());
		add("retryPolicy", "workhorse.enqueue.retry-policy", (properties) -> properties.enqueue().retryPolicy());
		add("keyWait", "workhorse.enqueue.key-wait", (properties) -> properties.enqueue().keyWait());
		add("maxPayloadBytes", "workhorse.payload.max-size", (properties) -> properties.payload().maxSize());
		add("lease", "workhorse.worker.lease", (properties) -> properties.worker().lease());
		add("pollInterval", "workhorse.worker.poll-interval", (properties) -> properties.worker().pollInterval());
		add("queue", "workhorse.worker.queues", (properties) -> properties.worker().queues().keySet());
		add("retention.succeeded", "workhorse.retention.succeeded", (properties) -> properties.retention().succeeded());
		add("retention.failed", "workhorse.retention.failed", (properties) -> properties.retention().failed());
		add("retention.cancelled", "workhorse.retention.cancelled", (properties) -> properties.retention().cancelled());
		add("dedupeRetention", "workhorse.events.dedupe-retention",
				(properties) -> properties.events().dedupeRetention());
		add("retention.interval", "workhorse.retention.interval", (properties) -> properties.retention().interval());
	}

	private final WorkhorseProperties properties;

	PropertyBounds(WorkhorseProperties properties) {
		this.properties = properties;
	}

	private static void add(String field, String property, Function<WorkhorseProperties, @Nullable Object> value) {
		PROPERTIES.put(field, new Property(property, value));
	}

	<T> T check(Supplier<T> assembly) {
		try {
			return assembly.get();
		}
		catch (InvalidRequestException ex) {
			throw blame(ex);
		}
	}

	/**
	 * Blame the property of one queue.
	 */
	static void checkQueue(String name, WorkhorseProperties.Queue queue, Runnable assembly) {
		try {
			assembly.run();
		}
		catch (InvalidRequestException ex) {
			String prefix = "workhorse.worker.queues." + name;
			InvalidConfigurationPropertyValueException blamed = switch (ex.field()) {
				case "concurrency" -> violation(prefix + ".concurrency", queue.concurrency(), ex.bound());
				case "concurrencyPerKey" ->
					violation(prefix + ".concurrency-per-key", queue.concurrencyPerKey(), ex.bound());
				case "rateLimit" -> violation(prefix + ".rate-limit", queue.rateLimit(), ex.bound());
				case "ratePeriod" -> violation(prefix + ".rate-period", queue.ratePeriod(), ex.bound());
				default -> throw ex;
			};
			blamed.initCause(ex);
			throw blamed;
		}
	}

	private RuntimeException blame(InvalidRequestException ex) {
		// retryPolicy.delay is a part of retryPolicy
		Property property = PROPERTIES.getOrDefault(ex.field(), PROPERTIES.get(ex.field().split("\\.", 2)[0]));
		if (property == null) {
			return ex;
		}
		InvalidConfigurationPropertyValueException blamed = violation(property.name(),
				property.value().apply(this.properties), ex.bound());
		blamed.initCause(ex);
		return blamed;
	}

	static InvalidConfigurationPropertyValueException violation(String property, @Nullable Object value, String bound) {
		return new InvalidConfigurationPropertyValueException(property, value,
				"'%s' must be %s".formatted(property, bound));
	}

	/**
	 * A property that ends in a setting of the core.
	 *
	 * @param name the name of the property
	 * @param value reads what it is set to
	 */
	private record Property(String name, Function<WorkhorseProperties, @Nullable Object> value) {

	}

}
