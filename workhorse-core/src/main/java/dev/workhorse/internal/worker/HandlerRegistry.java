package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.workhorse.handler.HandlerDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of this node by job type.
 */
public final class HandlerRegistry {

	private final Map<String, HandlerDefinition> handlers = new LinkedHashMap<>();

	/**
	 * Create a registry.
	 * @param definitions the handlers
	 * @throws IllegalStateException if two handlers have the same type
	 */
	public HandlerRegistry(List<HandlerDefinition> definitions) {
		for (HandlerDefinition definition : definitions) {
			if (this.handlers.putIfAbsent(definition.type(), definition) != null) {
				throw new IllegalStateException(
						"Two handlers for job type '%s'; keep one of them".formatted(definition.type()));
			}
		}
	}

	@Nullable HandlerDefinition find(String type) {
		return this.handlers.get(type);
	}

	/**
	 * The handlers.
	 * @return all of them
	 */
	public Collection<HandlerDefinition> all() {
		return List.copyOf(this.handlers.values());
	}

	/**
	 * Whether any of them is transactional.
	 * @return whether there is one
	 */
	public boolean isAnyTransactional() {
		return this.handlers.values().stream().anyMatch(HandlerDefinition::transactional);
	}

	/**
	 * How long cancelled jobs stay where their handler says so.
	 * @return the retention by type
	 */
	public Map<String, Duration> cancelledRetention() {
		Map<String, Duration> retention = new LinkedHashMap<>();
		this.handlers.forEach((type, handler) -> {
			Duration own = handler.retention().cancelled();
			if (own != null) {
				retention.put(type, own);
			}
		});
		return retention;
	}

	/**
	 * The job types this node handles.
	 * @return the types
	 */
	public Set<String> types() {
		return Set.copyOf(this.handlers.keySet());
	}

}
