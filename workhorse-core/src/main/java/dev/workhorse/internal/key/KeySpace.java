package dev.workhorse.internal.key;

/**
 * Keeps keys of different kinds apart, so that equal texts never meet.
 */
public enum KeySpace {

	/** Keys of {@code Queue}. */
	ENQUEUE("enqueue"),

	/** Dedupe keys of events, with the event's name as the scope. */
	EVENT("event"),

	/** Dedupe keys, each of a task and queue. */
	DEDUPE("dedupe"),

	/** Slots of a task and queue, or of one of its dedupe keys. */
	SLOT("slot"),

	/** Requests to run a dead letter again. */
	REDRIVE("redrive");

	private final String label;

	KeySpace(String label) {
		this.label = label;
	}

	String label() {
		return this.label;
	}

}
