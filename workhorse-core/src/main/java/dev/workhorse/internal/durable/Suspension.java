package dev.workhorse.internal.durable;

import dev.workhorse.handler.SuspendExecution;

/**
 * Leaves a handler because a step has to wait.
 */
public final class Suspension extends SuspendExecution {

	private final transient WaitRequest wait;

	Suspension(WaitRequest wait) {
		super("Suspended by step '%s', which is no error; do not catch it".formatted(wait.name()));
		this.wait = wait;
	}

	/**
	 * What it waits for.
	 * @return the wait
	 */
	public WaitRequest request() {
		return this.wait;
	}

}
