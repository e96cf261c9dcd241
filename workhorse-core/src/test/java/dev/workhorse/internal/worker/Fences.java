package dev.workhorse.internal.worker;

import dev.workhorse.handler.JobContext;

/**
 * Lets handlers of tests in other packages see the fence of their attempt.
 */
public final class Fences {

	private Fences() {
	}

	public static long of(JobContext context) {
		return ((Attempt) context).fence();
	}

}
