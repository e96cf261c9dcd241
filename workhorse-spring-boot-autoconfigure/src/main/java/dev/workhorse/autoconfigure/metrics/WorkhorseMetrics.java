package dev.workhorse.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.observation.WorkhorseListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

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
		count("workhorse.enqueue", "Decisions on enqueue requests", 1, "mode", decided.mode(), "outcome",
				decided.outcome(), "queue", decided.queue(), "type", decided.type());
	}

	@Override
	public void onInvoke(InvokeDecided decided) {
		count("workhorse.invoke", "Decisions on invokes", 1, "mode", decided.mode(), "outcome", decided.outcome(),
				"queue", decided.queue(), "type", decided.type());
	}

	@Override
	public void onEmit(EmitDecided decided) {
		count("workhorse.emit", "Decisions on events", 1, "outcome", decided.outcome(), "event", decided.event());
	}

	@Override
	public void onClaim(String queue, int jobs) {
		summary("workhorse.claim.batch", "Jobs taken by one claim", "queue", queue).record(jobs);
	}

	@Override
	public void onAttemptStart(AttemptStarted started) {
		timer("workhorse.wait", "How long jobs had been due when an attempt began", "queue", started.queue(), "type",
				started.type())
			.record(started.waited());
	}

	@Override
	public void onSettle(int attempts) {
		summary("workhorse.completion.batch", "Ends of attempts stored by one statement").record(attempts);
	}

	@Override
	public void onAttemptEnd(AttemptEnded ended) {
		timer("workhorse.handler", "How long handlers ran whose end is stored", "queue", ended.queue(), "type",
				ended.type(), "outcome", ended.end())
			.record(ended.duration());
		switch (ended.end()) {
			case "retried" -> count("workhorse.retries", "Failed attempts that are followed by another", 1, "queue",
					ended.queue(), "type", ended.type());
			case "failed" -> count("workhorse.dead.letters", "Jobs that failed for good", 1, "queue", ended.queue(),
					"type", ended.type());
			default -> {
			}
		}
	}

	@Override
	public void onLeaseLost(UUID jobId, String queue, String type) {
		count("workhorse.leases.lost", "Attempts that lost their lease", 1, "queue", queue, "type", type);
	}

	@Override
	public void onMaintenance(long keys, long jobs) {
		count("workhorse.maintenance.keys", "Expired keys that were freed", keys);
		count("workhorse.maintenance.jobs", "Finished jobs that were removed", jobs);
	}

	private void count(String name, String description, long amount, String... tags) {
		Counter.builder(name).description(description).tags(tags).register(this.registry).increment((double) amount);
	}

	private Timer timer(String name, String description, String... tags) {
		return Timer.builder(name).description(description).tags(tags).register(this.registry);
	}

	private DistributionSummary summary(String name, String description, String... tags) {
		return DistributionSummary.builder(name)
			.description(description)
			.baseUnit("jobs")
			.tags(tags)
			.register(this.registry);
	}

	@Override
	public void onTimeout(UUID jobId, String queue, String type) {
		overdue(queue, type).incrementAndGet();
	}

	@Override
	public void onLateReturn(UUID jobId, String queue, String type, Duration late) {
		overdue(queue, type).decrementAndGet();
		timer("workhorse.handler.late", "How long after its timeout a handler returned", "queue", queue, "type", type)
			.record(late);
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
