package dev.workhorse.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.observation.WorkhorseListener;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * Counts what happened. The core tells of a request after its commit, so one that was
 * rolled back is not counted.
 */
final class WorkhorseMetrics implements WorkhorseListener {

	private final MeterRegistry registry;

	private final Map<Tags, AtomicInteger> overdue = new ConcurrentHashMap<>();

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
	public void onInvoke(InvokeDecided decided) {
		this.registry
			.counter("workhorse.invoke", "mode", decided.mode(), "outcome", decided.outcome(), "queue", decided.queue(),
					"type", decided.type())
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

	@Override
	public void onTimeout(UUID jobId, String queue, String type) {
		overdue(queue, type).incrementAndGet();
	}

	@Override
	public void onLateReturn(UUID jobId, String queue, String type, Duration late) {
		overdue(queue, type).decrementAndGet();
		this.registry.timer("workhorse.handler.late", "queue", queue, "type", type).record(late);
	}

	private AtomicInteger overdue(String queue, String type) {
		return this.overdue.computeIfAbsent(Tags.of("queue", queue, "type", type), (tags) -> {
			AtomicInteger handlers = new AtomicInteger();
			Gauge.builder("workhorse.handlers.overdue", handlers, AtomicInteger::get)
				.description("Handlers that keep their slot although their time is over")
				.tags(tags)
				.register(this.registry);
			return handlers;
		});
	}

}
