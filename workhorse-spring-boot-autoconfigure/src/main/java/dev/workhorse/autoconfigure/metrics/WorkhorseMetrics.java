package dev.workhorse.autoconfigure.metrics;

import java.util.UUID;

import dev.workhorse.observation.WorkhorseListener;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what happened. The core tells of a request after its commit, so one that was
 * rolled back is not counted.
 */
final class WorkhorseMetrics implements WorkhorseListener {

	private final MeterRegistry registry;

	WorkhorseMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onEnqueue(EnqueueDecided decided) {
		this.registry
			.counter("workhorse.enqueue", "mode", decided.mode(), "outcome", decided.outcome(), "queue",
					decided.queue(), "type", decided.type())
			.increment();
	}

	@Override
	public void onEmit(EmitDecided decided) {
		this.registry.counter("workhorse.emit", "outcome", decided.outcome(), "event", decided.event()).increment();
	}

	@Override
	public void onClaim(String queue, int jobs) {
		DistributionSummary.builder("workhorse.claim.batch")
			.description("Jobs taken by one claim")
			.baseUnit("jobs")
			.tag("queue", queue)
			.register(this.registry)
			.record(jobs);
	}

	@Override
	public void onAttemptEnd(AttemptEnded ended) {
		this.registry.timer("workhorse.handler", "queue", ended.queue(), "type", ended.type(), "outcome", ended.end())
			.record(ended.duration());
	}

	@Override
	public void onLeaseLost(UUID jobId, String queue, String type) {
		this.registry.counter("workhorse.leases.lost", "queue", queue, "type", type).increment();
	}

}
