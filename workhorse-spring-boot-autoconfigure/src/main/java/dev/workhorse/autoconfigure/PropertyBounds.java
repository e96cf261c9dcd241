package dev.workhorse.autoconfigure;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.workhorse.InvalidRequestException;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Says which property is to blame when the core finds a setting out of its bounds. The
 * bounds themselves are known in one place, the core.
 */
final class PropertyBounds {

	private static final Map<String, Property> PROPERTIES = Map.of("schema",
			new Property("workhorse.schema.name", (properties) -> properties.schema().name()), "idempotencyTtl",
			new Property("workhorse.enqueue.idempotency-ttl", (properties) -> properties.enqueue().idempotencyTtl()),
			"maxAttempts",
			new Property("workhorse.enqueue.max-attempts", (properties) -> properties.enqueue().maxAttempts()),
			"retryPolicy",
			new Property("workhorse.enqueue.retry-policy", (properties) -> properties.enqueue().retryPolicy()),
			"keyWait", new Property("workhorse.enqueue.key-wait", (properties) -> properties.enqueue().keyWait()),
			"maxPayloadBytes",
			new Property("workhorse.payload.max-size", (properties) -> properties.payload().maxSize()), "lease",
			new Property("workhorse.worker.lease", (properties) -> properties.worker().lease()), "pollInterval",
			new Property("workhorse.worker.poll-interval", (properties) -> properties.worker().pollInterval()), "queue",
			new Property("workhorse.worker.queues", (properties) -> properties.worker().queues().keySet()),
			"concurrency", new Property("workhorse.worker.queues", (properties) -> properties.worker().queues()));

	private final WorkhorseProperties properties;

	PropertyBounds(WorkhorseProperties properties) {
		this.properties = properties;
	}

	<T> T check(Supplier<T> assembly) {
		try {
			return assembly.get();
		}
		catch (InvalidRequestException ex) {
			throw blame(ex);
		}
	}

	private RuntimeException blame(InvalidRequestException ex) {
		// retryPolicy.delay is a part of retryPolicy
		Property property = PROPERTIES.get(ex.field().split("\\.", 2)[0]);
		if (property == null) {
			return ex;
		}
		InvalidConfigurationPropertyValueException blamed = violation(property.name(),
				property.value().apply(this.properties), ex.bound());
		blamed.initCause(ex);
		return blamed;
	}

	static InvalidConfigurationPropertyValueException violation(String property, Object value, String bound) {
		return new InvalidConfigurationPropertyValueException(property, value,
				"'%s' must be %s".formatted(property, bound));
	}

	/**
	 * A property that ends in a setting of the core.
	 *
	 * @param name the name of the property
	 * @param value reads what it is set to
	 */
	private record Property(String name, Function<WorkhorseProperties, Object> value) {

	}

}
