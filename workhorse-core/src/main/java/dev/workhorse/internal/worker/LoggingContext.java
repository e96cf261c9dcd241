package dev.workhorse.internal.worker;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Names the attempt in everything that is logged on the handler's thread. What the
 * handler adds for itself does not last longer than the attempt.
 */
final class LoggingContext implements AutoCloseable {

	private final @Nullable Map<String, String> before = MDC.getCopyOfContextMap();

	private LoggingContext() {
	}

	static LoggingContext of(Attempt attempt) {
		LoggingContext context = new LoggingContext();
		MDC.put("workhorse.job", attempt.jobId().toString());
		MDC.put("workhorse.type", attempt.type());
		MDC.put("workhorse.queue", attempt.queue());
		MDC.put("workhorse.attempt", Integer.toString(attempt.attempt()));
		return context;
	}

	@Override
	public void close() {
		if (this.before != null) {
			MDC.setContextMap(this.before);
		}
		else {
			MDC.clear();
		}
	}

}
