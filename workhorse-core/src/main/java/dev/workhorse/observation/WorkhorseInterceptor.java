package dev.workhorse.observation;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.workhorse.handler.JobContext;

/**
 * Goes around calls that enqueue, invoke or emit, and attempts that run, for example to
 * trace them. What it throws reaches the caller, or fails the attempt.
 */
public interface WorkhorseInterceptor {

	/**
	 * Goes around a call that enqueues or invokes.
	 * @param call what is asked for
	 * @param proceed decides; to be called once
	 * @param <T> what the caller gets
	 * @return what {@code proceed} returned
	 */
	default <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
		return proceed.get();
	}

	/**
	 * Goes around a call that emits an event. Its jobs are made later.
	 * @param call what is told
	 * @param proceed decides; to be called once
	 * @param <T> what the caller gets
	 * @return what {@code proceed} returned
	 */
	default <T> T aroundEmit(EmitCall call, Supplier<T> proceed) {
		return proceed.get();
	}

	/**
	 * Goes around a handler, on its thread, with the reading of the payload and the
	 * writing of the result. Within the transaction of a transactional handler.
	 * @param job the attempt
	 * @param traceContext what was stored with the job
	 * @param proceed runs the handler; to be called once
	 * @param <T> what the worker gets
	 * @return what {@code proceed} returned
	 * @throws Exception what {@code proceed} threw
	 */
	default <T> T aroundAttempt(JobContext job, Map<String, String> traceContext, Callable<T> proceed)
			throws Exception {
		return proceed.call();
	}

}
