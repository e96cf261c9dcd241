package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

	private final Loop loop = new Loop("lease-renewer", true, this::round);

	LeaseRenewer(UUID worker, WorkerSettings settings, PostgresLeases leases, Set<String> types,
			Supplier<List<Attempt>> attempts, Observer observer) {
		this.worker = worker;
		this.settings = settings;
		this.leases = leases;
		this.types = types;
		this.attempts = attempts;
		this.observer = observer;
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

	void stop(Duration patience) {
		this.loop.stop(patience);
		this.leases.removeWorker(this.worker);
	}

	private Duration round() {
		this.leases.beat(this.worker, this.settings, this.types);
		List<Attempt> current = this.attempts.get();
		if (!current.isEmpty()) {
			renew(current);
		}
		return this.settings.heartbeat();
	}

	private void renew(List<Attempt> current) {
		Set<Lease> renewed = this.leases.renew(current);
		List<Attempt> left = new ArrayList<>(current);
		left.removeIf((attempt) -> renewed.contains(attempt.lease()));
		if (left.isEmpty()) {
			return;
		}
		// not renewed: ended in the meantime, locked by another transaction, or lost
		Set<Attempt> held = this.leases.stillHeld(left);
		List<Attempt> unfinished = this.attempts.get();
		left.stream()
			.filter((attempt) -> !held.contains(attempt) && unfinished.contains(attempt))
			.forEach(this.observer::leaseLost);
	}

}
