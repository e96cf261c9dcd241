package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.RetryLaterException;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a handler and decides how its attempt ends. Nothing a handler throws, not even an
 * {@code Error}, gets past this class.
 */
final class AttemptRunner {

	private static final Logger logger = LoggerFactory.getLogger(AttemptRunner.class);

	private final PayloadCodec codec;

	private final JsonCanonicalizer resultCheck;

	AttemptRunner(PayloadCodec codec, int maxResultBytes) {
		this.codec = codec;
		this.resultCheck = new JsonCanonicalizer("result", maxResultBytes);
	}

	Settlement run(Attempt attempt) {
		long start = System.nanoTime();
		try {
			if (attempt.attempt() > attempt.maxAttempts()) {
				return Settlement.failed(attempt,
						AttemptError.json("lease-expired", "The last attempt lost its lease without an end", null),
						Duration.ZERO);
			}
			Object payload = this.codec.read(attempt.job().payload(), attempt.definition().payloadType());
			String result = storable(attempt.definition().handler().handle(payload, attempt));
			return Settlement.succeeded(attempt, result, since(start));
		}
		catch (Throwable ex) {
			return unsuccessful(attempt, ex, since(start));
		}
	}

	private @Nullable String storable(@Nullable Object result) {
		if (result == null) {
			return null;
		}
		String json = this.codec.write(result);
		this.resultCheck.canonical(json);
		return json;
	}

	private static Settlement unsuccessful(Attempt attempt, Throwable error, Duration duration) {
		String json = AttemptError.json(error);
		if (error instanceof PermanentFailureException || attempt.attempt() >= attempt.maxAttempts()) {
			logger.warn("Failed for good: {}", attempt, error);
			return Settlement.failed(attempt, json, duration);
		}
		Duration delay = (error instanceof RetryLaterException later) ? later.delay()
				: attempt.retryPolicy().delay(attempt.attempt(), ThreadLocalRandom.current());
		logger.info("Failed, next attempt in {}: {}", delay, attempt, error);
		return Settlement.retried(attempt, json, delay, duration);
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
