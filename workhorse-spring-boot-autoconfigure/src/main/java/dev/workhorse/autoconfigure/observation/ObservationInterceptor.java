package dev.workhorse.autoconfigure.observation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.handler.JobContext;
import dev.workhorse.observation.EmitCall;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener.EmitDecided;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;

/**
 * Observes requests and attempts. With tracing, the context of a request is stored with
 * its job, and the attempts of the job go on in the same trace.
 */
final class ObservationInterceptor implements WorkhorseInterceptor {

	private static final String REQUEST = "workhorse.request";

	private static final String ATTEMPT = "workhorse.attempt";

	private final ObservationRegistry registry;

	ObservationInterceptor(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
		Map<String, String> carrier = new LinkedHashMap<>();
		Observation observation = request(carrier, "enqueue " + call.type(), call.queue(), call.type())
			.highCardinalityKeyValue("workhorse.requests", Integer.toString(call.requests()))
			.start();
		call.traceContext(carrier);
		String outcome = "error";
		try {
			T result = observation.scoped(proceed);
			outcome = outcome(call.decisions());
			UUID job = (call.decisions().size() == 1) ? call.decisions().get(0).jobId() : null;
			if (job != null) {
				observation.highCardinalityKeyValue("workhorse.job", job.toString());
			}
			return result;
		}
		catch (EnqueueIdempotencyConflictException ex) {
			outcome = "conflict";
			observation.highCardinalityKeyValue("workhorse.job", ex.existingJobId().toString());
			throw ex;
		}
		finally {
			observation.lowCardinalityKeyValue("outcome", outcome).stop();
		}
	}

	@Override
	public <T> T aroundEmit(EmitCall call, Supplier<T> proceed) {
		Map<String, String> carrier = new LinkedHashMap<>();
		// the meter has the same tags for whatever is asked for
		Observation observation = request(carrier, "emit " + call.event(), KeyValue.NONE_VALUE, call.event()).start();
		call.traceContext(carrier);
		try {
			return observation.scoped(proceed);
		}
		finally {
			EmitDecided decision = call.decision();
			observation.lowCardinalityKeyValue("outcome", (decision != null) ? decision.outcome() : "error").stop();
		}
	}

	private Observation request(Map<String, String> carrier, String name, String queue, String type) {
		SenderContext<Map<String, String>> context = new SenderContext<>(
				(fields, field, value) -> carrier.put(field, value), Kind.PRODUCER);
		context.setCarrier(carrier);
		return Observation.createNotStarted(REQUEST, () -> context, this.registry)
			.contextualName(name)
			.lowCardinalityKeyValue("queue", queue)
			.lowCardinalityKeyValue("type", type);
	}

	private static String outcome(List<EnqueueDecided> decisions) {
		if (decisions.isEmpty()) {
			// an attempt that has lost its lease starts no child
			return "error";
		}
		List<String> outcomes = decisions.stream().map(EnqueueDecided::outcome).distinct().toList();
		return (outcomes.size() == 1) ? outcomes.get(0) : "several";
	}

	@Override
	public <T> T aroundAttempt(JobContext job, Map<String, String> traceContext, Callable<T> proceed) throws Exception {
		ReceiverContext<Map<String, String>> context = new ReceiverContext<>(Map::get, Kind.CONSUMER);
		context.setCarrier(traceContext);
		return Observation.createNotStarted(ATTEMPT, () -> context, this.registry)
			.contextualName("handle " + job.type())
			.lowCardinalityKeyValue("queue", job.queue())
			.lowCardinalityKeyValue("type", job.type())
			.highCardinalityKeyValue("workhorse.job", job.jobId().toString())
			.highCardinalityKeyValue("workhorse.attempt", Integer.toString(job.attempt()))
			.observeChecked(proceed::call);
	}

}
