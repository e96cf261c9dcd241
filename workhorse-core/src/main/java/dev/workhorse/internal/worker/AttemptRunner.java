package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;

import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.RetryLaterException;
import dev.workhorse.handler.SwallowedSuspensionException;
import dev.workhorse.internal.durable.DurableExecution;
import dev.workhorse.internal.durable.Suspension;
import dev.workhorse.internal.observation.TraceContext;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.payload.PayloadCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a handler and decides how its attempt ends. Nothing a handler throws, not even an
 * {@code Error}, gets past this class.
 */
final class AttemptRunner {

	private static final Logger logger = LoggerFactory.getLogger(AttemptRunner.class);

	private final PayloadCodec codec;

	private final DurableExecution durable;

	private final WorkhorseInterceptor interceptor;

	AttemptRunner(PayloadCodec codec, DurableExecution durable, WorkhorseInterceptor interceptor) {
		this.codec = codec;
		this.durable = durable;
		this.interceptor = interceptor;
	}

	Settlement run(Attempt attempt) {
		long start = System.nanoTime();
		try {
			if (attempt.attempt() > attempt.maxAttempts()) {
				return exhausted(attempt);
			}
			if (attempt.isOverdueIn(Duration.ZERO)) {
				return overdue(attempt);
			}
			Map<String, String> trace = TraceContext.read(attempt.job().origin().traceContext());
			return this.interceptor.aroundAttempt(attempt, trace, () -> handle(attempt, start));
		}
		catch (Throwable ex) {
			if (attempt.hasEnded()) {
				// refused anyway: it was interrupted because its time or the grace period
				// is over
				return Settlement.failed(attempt, AttemptError.json(ex), since(start));
			}
			return thrown(attempt, ex, since(start));
		}
	}

	/**
	 * A handler that is suspended has not failed, and interceptors are to know that.
	 */
	private Settlement handle(Attempt attempt, long start) throws Exception {
		try {
			Object payload = this.codec.read(attempt.job().payload(), attempt.definition().payloadType());
			Object result = attempt.definition().handler().handle(payload, attempt);
			Suspension swallowed = attempt.suspension();
			if (swallowed != null) {
				throw new SwallowedSuspensionException(swallowed.request().name(), null);
			}
			String json = (result != null) ? this.durable.write("result", result) : null;
			return Settlement.succeeded(attempt, json, since(start));
		}
		catch (Suspension ex) {
			if (ex == attempt.suspension() && !attempt.hasEnded()) {
				return thrown(attempt, ex, since(start));
			}
			throw ex;
		}
	}

	private Settlement thrown(Attempt attempt, Throwable thrown, Duration duration) {
		Suspension suspension = attempt.suspension();
		if (suspension == null || thrown instanceof SwallowedSuspensionException) {
			return failed(attempt, thrown, duration);
		}
		if (thrown != suspension) {
			return failed(attempt, new SwallowedSuspensionException(suspension.request().name(), thrown), duration);
		}
		logger.debug("Suspended by step '{}': {}", suspension.request().name(), attempt);
		return Settlement.suspended(attempt, suspension.request(), duration);
	}

	private static Settlement exhausted(Attempt attempt) {
		int started = attempt.attempt() - 1;
		String reason = (started > attempt.maxAttempts()) ? "fewer attempts are allowed than when it began"
				: "it lost its lease before its end was stored, because its node died or could not reach the database";
		String message = "Attempt %d was the last of %d: %s".formatted(started, attempt.maxAttempts(), reason);
		logger.warn("Failed for good: job {} ({}): {}", attempt.jobId(), attempt.type(), message);
		return Settlement.notRun(attempt, AttemptError.json("attempts-exhausted", message, null));
	}

	private static Settlement overdue(Attempt attempt) {
		String message = "The deadline %s passed before attempt %d".formatted(attempt.deadline(), attempt.attempt());
		logger.warn("Failed for good: job {} ({}): {}", attempt.jobId(), attempt.type(), message);
		return Settlement.notRun(attempt, AttemptError.json("deadline-passed", message, null));
	}

	/**
	 * Decide about an attempt whose handler has not returned in time.
	 */
	Settlement timedOut(Attempt attempt, Duration timeout) {
		return failed(attempt, new TimeoutException("The handler did not return within " + timeout), timeout);
	}

	/**
	 * Decide about an attempt that threw something: whether, and when, there is another.
	 */
	Settlement failed(Attempt attempt, Throwable error, Duration duration) {
		String json = AttemptError.json(error);
		boolean pointless = error instanceof PermanentFailureException
				|| attempt.definition().noRetryFor().stream().anyMatch((type) -> type.isInstance(error));
		if (pointless || attempt.attempt() >= attempt.maxAttempts()) {
			log(() -> logger.warn("Failed for good: {}", attempt, error), attempt, error);
			return Settlement.failed(attempt, json, duration);
		}
		Duration delay = delay(attempt, error);
		if (attempt.isOverdueIn(delay)) {
			log(() -> logger.warn("Failed for good, the deadline {} is before the next attempt: {}", attempt.deadline(),
					attempt, error), attempt, error);
			return Settlement.failed(attempt, json, duration);
		}
		log(() -> logger.info("Failed, next attempt in {}: {}", delay, attempt, error), attempt, error);
		return Settlement.retried(attempt, json, delay, duration);
	}

	private static Duration delay(Attempt attempt, Throwable error) {
		if (error instanceof RetryLaterException later) {
			return later.delay();
		}
		try {
			return attempt.retryPolicy().delay(attempt.attempt(), ThreadLocalRandom.current());
		}
		catch (RuntimeException ex) {
			logger.warn("The retry policy of job {} ({}) is unusable; takes the default", attempt.jobId(),
					attempt.type(), ex);
			return RetryPolicy.polynomial().delay(attempt.attempt(), ThreadLocalRandom.current());
		}
	}

	// a logging library asks the exception for its message, which may throw
	private static void log(Runnable logging, Attempt attempt, Throwable error) {
		try {
			logging.run();
		}
		catch (Throwable ex) {
			logger.warn("Failed: {} with {}, which cannot be logged", attempt, error.getClass().getName());
		}
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
