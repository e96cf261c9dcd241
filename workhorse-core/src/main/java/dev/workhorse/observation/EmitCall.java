package dev.workhorse.observation;

import java.util.Map;

import dev.workhorse.observation.WorkhorseListener.EmitDecided;
import org.jspecify.annotations.Nullable;

/**
 * One call that emits an event, as an interceptor sees it. Belongs to the calling thread.
 */
public final class EmitCall {

	private final String event;

	private Map<String, String> traceContext = Map.of();

	private @Nullable EmitDecided decision;

	/**
	 * Create a call.
	 * @param event the event's name
	 */
	public EmitCall(String event) {
		this.event = event;
	}

	/**
	 * The event's name.
	 * @return the name
	 */
	public String event() {
		return this.event;
	}

	/**
	 * Say what is stored with the event and its jobs, to go on with the trace when they
	 * run. Only before the call proceeds.
	 * @param traceContext the fields of the context, such as {@code traceparent}
	 */
	public void traceContext(Map<String, String> traceContext) {
		this.traceContext = Map.copyOf(traceContext);
	}

	/**
	 * What is stored with the event and its jobs.
	 * @return the fields of the context
	 */
	public Map<String, String> traceContext() {
		return this.traceContext;
	}

	/**
	 * Note what was decided.
	 * @param decision the decision
	 */
	public void decision(EmitDecided decision) {
		this.decision = decision;
	}

	/**
	 * What was decided, which is not committed yet if the caller has a transaction.
	 * @return the decision; {@code null} before the call has proceeded, or if it failed
	 */
	public @Nullable EmitDecided decision() {
		return this.decision;
	}

}
