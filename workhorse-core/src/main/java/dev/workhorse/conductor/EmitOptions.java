package dev.workhorse.conductor;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueKey;
import org.jspecify.annotations.Nullable;

/**
 * How an event is emitted. Immutable.
 */
public final class EmitOptions {

	private final @Nullable EnqueueKey dedupeKey;

	private EmitOptions(@Nullable EnqueueKey dedupeKey) {
		this.dedupeKey = dedupeKey;
	}

	/**
	 * Options for an event that is always emitted.
	 * @return the options
	 */
	public static EmitOptions defaults() {
		return new EmitOptions(null);
	}

	/**
	 * Options for an event that is emitted once for each key: a repeat emits nothing and
	 * gets the id of the first, while that is being dispatched and for at least
	 * {@code workhorse.events.dedupe-retention} after.
	 * @param key the key, 1 to 512 UTF-8 bytes, one name space for each event name
	 * @return the options
	 */
	public static EmitOptions dedupeKey(String key) {
		return new EmitOptions(EnqueueKey.of(Bounds.key("dedupeKey", key)));
	}

	/**
	 * The dedupe key.
	 * @return the key, {@code null} for none
	 */
	public @Nullable EnqueueKey dedupeKey() {
		return this.dedupeKey;
	}

	@Override
	public String toString() {
		return "EmitOptions[dedupeKey=%s]".formatted((this.dedupeKey != null) ? this.dedupeKey.preview() : null);
	}

}
