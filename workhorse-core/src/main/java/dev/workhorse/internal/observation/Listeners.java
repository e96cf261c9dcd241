package dev.workhorse.internal.observation;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import dev.workhorse.observation.WorkhorseListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes everything on to all listeners; one that throws hurts nobody else.
 */
public final class Listeners implements WorkhorseListener {

	private static final Logger logger = LoggerFactory.getLogger(Listeners.class);

	private final List<WorkhorseListener> listeners;

	public Listeners(List<WorkhorseListener> listeners) {
		this.listeners = listeners;
	}

	@Override
	public void onEnqueue(EnqueueDecided decided) {
		each((listener) -> listener.onEnqueue(decided));
	}

	@Override
	public void onInvoke(InvokeDecided decided) {
		each((listener) -> listener.onInvoke(decided));
	}

	@Override
	public void onEmit(EmitDecided decided) {
		each((listener) -> listener.onEmit(decided));
	}

	@Override
	public void onClaim(String queue, int jobs) {
		each((listener) -> listener.onClaim(queue, jobs));
	}

	@Override
	public void onAttemptStart(AttemptStarted started) {
		each((listener) -> listener.onAttemptStart(started));
	}

	@Override
	public void onSettle(int attempts) {
		each((listener) -> listener.onSettle(attempts));
	}

	@Override
	public void onMaintenance(long keys, long jobs) {
		each((listener) -> listener.onMaintenance(keys, jobs));
	}

	@Override
	public void onAttemptEnd(AttemptEnded ended) {
		each((listener) -> listener.onAttemptEnd(ended));
	}

	@Override
	public void onLeaseLost(UUID jobId, String queue, String type) {
		each((listener) -> listener.onLeaseLost(jobId, queue, type));
	}

	@Override
	public void onTimeout(UUID jobId, String queue, String type) {
		each((listener) -> listener.onTimeout(jobId, queue, type));
	}

	@Override
	public void onLateReturn(UUID jobId, String queue, String type, Duration late) {
		each((listener) -> listener.onLateReturn(jobId, queue, type, late));
	}

	private void each(Consumer<WorkhorseListener> call) {
		for (WorkhorseListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException | LinkageError | StackOverflowError ex) {
				logger.warn("A listener failed: {}", listener, ex);
			}
		}
	}

}
