package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.workhorse.internal.durable.FollowUps;
import dev.workhorse.internal.worker.PostgresLeases.ExpiredLease;
import dev.workhorse.internal.worker.PostgresPromotion.Promoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes jobs ready when they are due or have nothing left to wait for, and takes back
 * jobs whose lease is over. Every node does it; whoever comes first wins, and nobody
 * waits for anybody.
 */
final class Housekeeping {

	private static final Logger logger = LoggerFactory.getLogger(Housekeeping.class);

	private final WorkerSettings settings;

	private final PostgresPromotion promotion;

	private final PostgresLeases leases;

	private final FollowUps followUps;

	private final BooleanSupplier steady;

	private final Consumer<String> onReady;

	private final Runnable onEvents;

	/** Expired leases of nodes that are alive, with the time they were first seen. */
	private Map<Lease, Long> suspects = new HashMap<>();

	private long lastRecovery;

	private long nextPromotion = System.nanoTime();

	private final Loop loop = new Loop("housekeeping", true, this::round);

	Housekeeping(WorkerSettings settings, PostgresPromotion promotion, PostgresLeases leases, FollowUps followUps,
			BooleanSupplier steady, Consumer<String> onReady, Runnable onEvents) {
		this.settings = settings;
		this.promotion = promotion;
		this.leases = leases;
		this.followUps = followUps;
		this.steady = steady;
		this.onReady = onReady;
		this.onEvents = onEvents;
		this.lastRecovery = System.nanoTime() - settings.lease().toNanos();
	}

	void start() {
		this.loop.start();
	}

	void stop(long deadline) {
		this.loop.stop(deadline);
	}

	/**
	 * A job will be due, or may have nothing left to wait for.
	 */
	void scheduled(Duration delay) {
		if (promoteBy(System.nanoTime() + delay.toNanos())) {
			this.loop.wake();
		}
	}

	/**
	 * Never later than what was said before, as the two threads that say so do not know
	 * of each other's jobs.
	 */
	private synchronized boolean promoteBy(long time) {
		boolean earlier = time - this.nextPromotion < 0;
		if (earlier) {
			this.nextPromotion = time;
		}
		return earlier;
	}

	/**
	 * Take up the promotion if it is time, or if leases are to be looked at along with
	 * it, and put the next one off.
	 */
	private synchronized boolean promotionDue(long now, boolean recovery) {
		if (!recovery && this.nextPromotion - now > 0) {
			return false;
		}
		this.nextPromotion = now + this.settings.pollInterval().toNanos();
		return true;
	}

	private synchronized long untilPromotion() {
		return this.nextPromotion - System.nanoTime();
	}

	private Duration round() {
		long now = System.nanoTime();
		boolean recovery = now - this.lastRecovery >= recoveryInterval().toNanos();
		if (promotionDue(now, recovery)) {
			boolean leasesExpired = promote(recovery);
			if (recovery) {
				recover(now, leasesExpired);
				this.lastRecovery = now;
			}
		}
		long untilRecovery = this.lastRecovery + recoveryInterval().toNanos() - System.nanoTime();
		return Duration.ofNanos(Math.max(0, Math.min(untilPromotion(), untilRecovery)));
	}

	private boolean promote(boolean lookAtLeases) {
		try {
			Promoted promoted = this.promotion.promote(lookAtLeases);
			if (promoted.nextDue() != null) {
				promoteBy(System.nanoTime() + promoted.nextDue().toNanos());
			}
			promoted.queues().forEach(this.onReady);
			if (promoted.childrenToCancel()) {
				this.followUps.cancelChildren();
			}
			if (promoted.eventsPending()) {
				this.onEvents.run();
			}
			return promoted.leasesExpired();
		}
		catch (RuntimeException ex) {
			// the next round tries again
			promoteBy(System.nanoTime());
			throw ex;
		}
	}

	private Duration recoveryInterval() {
		Duration heartbeat = this.settings.heartbeat();
		return (heartbeat.compareTo(this.settings.pollInterval()) < 0) ? heartbeat : this.settings.pollInterval();
	}

	private void recover(long now, boolean leasesExpired) {
		List<ExpiredLease> found = (leasesExpired && this.steady.getAsBoolean()) ? this.leases.findExpired()
				: List.of();
		// asked once more, as the search may have waited for a database that was away
		if (!this.steady.getAsBoolean()) {
			this.suspects = Map.of();
			return;
		}
		List<Lease> lost = new ArrayList<>();
		Map<Lease, Long> seen = new HashMap<>();
		for (ExpiredLease expired : found) {
			long since = this.suspects.getOrDefault(expired.lease(), now);
			// A living node renews late a row that another transaction had locked: give
			// it
			// two heartbeats.
			if (!expired.workerAlive() || now - since > 2 * this.settings.heartbeat().toNanos()) {
				lost.add(expired.lease());
			}
			else {
				seen.put(expired.lease(), since);
			}
		}
		this.suspects = seen;
		if (!lost.isEmpty()) {
			List<String> queues = this.leases.recover(lost);
			if (!queues.isEmpty()) {
				logger.info("Made {} jobs ready again whose lease was over", queues.size());
			}
			queues.stream().distinct().forEach(this.onReady);
		}
	}

}
