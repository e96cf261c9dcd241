package dev.workhorse.observation;

import java.util.List;
import java.util.Map;

import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;

/**
 * One call that enqueues or invokes, as an interceptor sees it. Belongs to the calling
 * thread.
 */
public final class EnqueueCall {

	private final String queue;

	private final String type;

	private final int requests;

	private Map<String, String> traceContext = Map.of();

	private List<EnqueueDecided> decisions = List.of();

	/**
	 * Create a call.
	 * @param queue the queue of its first request
	 * @param type the job type of its first request
	 * @param requests the number of requests
	 */
	public EnqueueCall(String queue, String type, int requests) {
		this.queue = queue;
		this.type = type;
		this.requests = requests;
	}

	/**
	 * The queue of its first request.
	 * @return the queue
	 */
	public String queue() {
		return this.queue;
	}

	/**
	 * The job type of its first request.
	 * @return the type
	 */
	public String type() {
		return this.type;
	}

	/**
	 * How many requests it makes.
	 * @return the number of requests
	 */
	public int requests() {
		return this.requests;
	}

	/**
	 * Say what is stored with the jobs, to go on with the trace when they run. Only
	 * before the call proceeds.
	 * @param traceContext the fields of the context, such as {@code traceparent}
	 */
	public void traceContext(Map<String, String> traceContext) {
		this.traceContext = Map.copyOf(traceContext);
	}

	/**
	 * What is stored with the jobs.
	 * @return the fields of the context
	 */
	public Map<String, String> traceContext() {
		return this.traceContext;
	}

	/**
	 * Note what was decided.
	 * @param decisions one for each request, in their order
	 */
	public void decisions(List<EnqueueDecided> decisions) {
		this.decisions = List.copyOf(decisions);
	}

	/**
	 * What was decided, which is not committed yet if the caller has a transaction.
	 * @return one for each request, in their order; none before the call has proceeded,
	 * or if it failed
	 */
	public List<EnqueueDecided> decisions() {
		return this.decisions;
	}

}
