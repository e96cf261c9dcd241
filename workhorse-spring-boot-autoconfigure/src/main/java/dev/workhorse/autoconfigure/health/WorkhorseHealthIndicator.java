package dev.workhorse.autoconfigure.health;

import java.util.TreeMap;
import java.util.TreeSet;

import dev.workhorse.runtime.WorkerStatus;
import dev.workhorse.runtime.Workhorse;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the worker of this node works: up while its heartbeat reaches the database,
 * whatever the backlog, and also while there are jobs that no node has a handler for. A
 * node that only accepts jobs is up; its database has an indicator of its own.
 */
final class WorkhorseHealthIndicator extends AbstractHealthIndicator {

	private final Workhorse workhorse;

	private final UnhandledTypes unhandledTypes;

	WorkhorseHealthIndicator(Workhorse workhorse) {
		super("Workhorse health check failed");
		this.workhorse = workhorse;
		this.unhandledTypes = new UnhandledTypes(workhorse.jobs());
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		WorkerStatus status = this.workhorse.workerStatus();
		if (!status.enabled()) {
			builder.up().withDetail("worker", "disabled");
			return;
		}
		if (!this.workhorse.isRunning()) {
			builder.outOfService().withDetail("worker", "stopped");
			return;
		}
		builder.status((status.working()) ? "UP" : "DOWN")
			.withDetail("worker", (status.working()) ? "working" : "heartbeat does not reach the database")
			.withDetail("wakeUp", (status.listening()) ? "listening" : "polling only")
			.withDetail("schemaVersion", status.schemaVersion())
			.withDetail("sinceLastClaim", (status.sinceClaim() != null) ? status.sinceClaim().toString() : "never")
			.withDetail("queues", new TreeMap<>(status.inHand()))
			.withDetail("types", new TreeSet<>(status.types()));
		if (status.working()) {
			builder.withDetail("unhandledTypes", this.unhandledTypes.get());
		}
	}

}
