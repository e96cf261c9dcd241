package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The heartbeat: says that the node is alive and renews the leases of everything it has
 * claimed, in one batch, on a thread of its own that no handler can hold up.
 */
final class LeaseRenewer {

	private final UUID worker;

	private final WorkerSettings settings;

	private final PostgresLeases leases;

	private final Set<String> types;

	private final Supplier<List<Attempt>> attempts;

	private final Observer observer;

	private volatile boolean beating;

	private volatile long lastBeat;

	/** Since when no heartbeat has been too late for its lease. */
	private volatile long steadySince;

	private final Loop loop;

	LeaseRenewer(UUID worker, WorkerSettings settings, PostgresLeases leases, Set<String> types,
			Supplier<List<Attempt>> attempts, Observer observer) {
		this.worker = worker;
		this.settings = settings;
		this.leases = leases;
		this.types = types;
		this.attempts = attempts;
		this.observer = observer;
		this.loop = new Loop("lease-renewer", true, this::round, () -> leases.removeWorker(worker),
				settings.heartbeat().dividedBy(2));
		// a node that starts takes over what others left without a delay
		this.lastBeat = System.nanoTime() - settings.lease().toNanos();
		this.steadySince = this.lastBeat;
	}

	void start() {
		this.loop.start();
	}

	/**
	 * Whether the last heartbeat reached the database.
	 */
	boolean isBeating() {
		return !this.loop.isFailing();
	}

	/**
	 * Whether heartbeats have reached the database for the length of a lease, up to this
	 * moment. After an outage every lease looks expired until its node has renewed it.
	 */
	boolean isSteady() {
		long lease = this.settings.lease().toNanos();
		long now = System.nanoTime();
		return !this.loop.isFailing() && this.beating && now - this.lastBeat < lease && now - this.steadySince >= lease;
	}

	/**
	 * Stop and sign off.
	 */
	void stop(long deadline) {
		this.loop.stop(deadline);
	}

	private Duration round() {
		long start = System.nanoTime();
		this.leases.beat(this.worker, this.settings, this.types);
		List<Attempt> current = this.attempts.get();
		if (!current.isEmpty()) {
			renew(current);
		}
		beaten(start);
		return this.settings.heartbeat();
	}

	private void beaten(long start) {
		long now = System.nanoTime();
		if (this.beating && now - this.lastBeat > this.settings.lease().toNanos()) {
			this.steadySince = now;
		}
		this.beating = true;
		this.lastBeat = start;
	}

	private void renew(List<Attempt> current) {
		Map<Lease, Renewal> renewed = this.leases.renew(current);
		for (Attempt attempt : current) {
			Renewal renewal = renewed.get(attempt.lease());
			if (renewal != null && renewal.cancelled()) {
				this.observer.cancelRequested(attempt, renewal.interrupt());
			}
		}
		List<Attempt> left = new ArrayList<>(current);
		left.removeIf((attempt) -> renewed.containsKey(attempt.lease()));
		if (left.isEmpty()) {
			return;
		}
		// Not renewed: locked by another transaction, ended in the meantime, or lost.
		// What
		// has ended is the completer's, which alone knows whether it was stored.
		Set<Attempt> held = this.leases.stillHeld(left);
		left.stream()
			.filter((attempt) -> !held.contains(attempt) && !attempt.hasEnded())
			.forEach(this.observer::leaseLost);
	}

}
