package dev.workhorse.internal.durable;

/**
 * The kinds of steps.
 */
public enum StepKind {

	/** A value that is computed once. */
	CHECKPOINT("checkpoint", "checkpoint"),

	/** A wait for some time. */
	SLEEP("sleep", "sleep"),

	/** A job that was started as a child. */
	CHILD("child", "child"),

	/** A wait for an event. */
	EVENT("event", "wait for an event");

	private final String label;

	private final String words;

	StepKind(String label, String words) {
		this.label = label;
		this.words = words;
	}

	String label() {
		return this.label;
	}

	String words() {
		return this.words;
	}

	static StepKind of(String label) {
		for (StepKind kind : values()) {
			if (kind.label.equals(label)) {
				return kind;
			}
		}
		throw new IllegalArgumentException("No kind of step '%s'".formatted(label));
	}

}
