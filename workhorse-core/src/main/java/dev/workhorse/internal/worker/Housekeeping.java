package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.workhorse.internal.worker.PostgresLeases.ExpiredLease;
import dev.workhorse.internal.worker.PostgresPromotion.Promoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes scheduled jobs ready when they are due, and takes back jobs whose lease is over.
 * Every node does it; whoever comes first wins, and nobody waits for anybody.
 */
final class Housekeeping {

	private static final Logger logger = LoggerFactory.getLogger(Housekeeping.class);

	private final WorkerSettings settings;

	private final PostgresPromotion promotion;

	private final PostgresLeases leases;

	private final BooleanSupplier beating;

	private final Consumer<String> onReady;

	/** Expired leases of nodes that are alive, with the time they were first seen. */
	private Map<Lease, Long> suspects = new HashMap<>();

	private long lastRecovery = System.nanoTime();

	private long beatingSince;

	private volatile long nextPromotion = System.nanoTime();

	private final Loop loop = new Loop("housekeeping", true, this::round);

	Housekeeping(WorkerSettings settings, PostgresPromotion promotion, PostgresLeases leases, BooleanSupplier beating,
			Consumer<String> onReady) {
		this.settings = settings;
		this.promotion = promotion;
		this.leases = leases;
		this.beating = beating;
		this.onReady = onReady;
		this.beatingSince = System.nanoTime() - settings.heartbeat().toNanos();
	}

	void start() {
		this.loop.start();
	}

	void stop(Duration patience) {
		this.loop.stop(patience);
	}

	/**
	 * A job will be due.
	 */
	void scheduled(Duration delay) {
		long due = System.nanoTime() + delay.toNanos();
		if (due - this.nextPromotion < 0) {
			this.nextPromotion = due;
			this.loop.wake();
		}
	}

	private Duration round() {
		long now = System.nanoTime();
		if (now - this.lastRecovery >= recoveryInterval().toNanos()) {
			recover(now);
			this.lastRecovery = now;
		}
		if (this.nextPromotion - now > 0) {
			return Duration.ofNanos(this.nextPromotion - now);
		}
		this.nextPromotion = now + this.settings.pollInterval().toNanos();
		Promoted promoted = this.promotion.promote();
		promoted.queues().forEach(this.onReady);
		Duration wait = this.settings.pollInterval();
		if (promoted.nextDue() != null && promoted.nextDue().compareTo(wait) < 0) {
			wait = promoted.nextDue();
			this.nextPromotion = System.nanoTime() + wait.toNanos();
		}
		return wait;
	}

	private Duration recoveryInterval() {
		Duration heartbeat = this.settings.heartbeat();
		return (heartbeat.compareTo(this.settings.pollInterval()) < 0) ? heartbeat : this.settings.pollInterval();
	}

	private void recover(long now) {
		if (!this.beating.getAsBoolean()) {
			this.beatingSince = now;
		}
		if (now - this.beatingSince < this.settings.heartbeat().toNanos()) {
			// After an outage every lease looks expired; the living renew theirs first.
			return;
		}
		List<Lease> lost = new ArrayList<>();
		Map<Lease, Long> seen = new HashMap<>();
		for (ExpiredLease expired : this.leases.findExpired()) {
			long since = this.suspects.getOrDefault(expired.lease(), now);
			// A living node may renew late, because another transaction had locked the
			// row.
			if (!expired.workerAlive() || now - since > this.settings.heartbeat().toNanos()) {
				lost.add(expired.lease());
			}
			else {
				seen.put(expired.lease(), since);
			}
		}
		this.suspects = seen;
		if (!lost.isEmpty()) {
			List<String> queues = this.leases.recover(lost);
			logger.info("Made {} jobs ready again whose lease was over", queues.size());
			queues.stream().distinct().forEach(this.onReady);
		}
	}

}
