package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataIntegrityViolationException;

/**
 * Stores the ends of attempts in groups: while one batch is on its way the next gathers,
 * so that an idle system stores at once and a busy one hundreds at a time. Nothing is
 * dropped while the database is away.
 */
final class Completer {

	private static final Logger logger = LoggerFactory.getLogger(Completer.class);

	private static final int MOST = 500;

	/** How soon a row that another transaction has locked is tried again. */
	private static final Duration LOCKED_ROW_DELAY = Duration.ofMillis(50);

	private static final Duration IDLE = Duration.ofMinutes(1);

	private final PostgresSettlements settlements;

	private final PostgresLeases leases;

	private final Observer observer;

	private final LinkedBlockingQueue<Settlement> waiting = new LinkedBlockingQueue<>();

	/**
	 * The batch of the current round; kept if the round fails. Only its thread uses it.
	 */
	private final List<Settlement> batch = new ArrayList<>();

	private final Loop loop = new Loop("completer", true, this::round);

	Completer(PostgresSettlements settlements, PostgresLeases leases, Observer observer) {
		this.settlements = settlements;
		this.leases = leases;
		this.observer = observer;
	}

	void start() {
		this.loop.start();
	}

	void settle(Settlement settlement) {
		this.waiting.add(settlement);
		this.loop.wake();
	}

	void stop(Duration patience) {
		this.loop.stop(patience);
	}

	private Duration round() {
		this.waiting.drainTo(this.batch, MOST - this.batch.size());
		if (this.batch.isEmpty()) {
			return IDLE;
		}
		List<Settlement> locked = flush(List.copyOf(this.batch));
		this.batch.clear();
		this.batch.addAll(locked);
		if (!this.waiting.isEmpty()) {
			return Duration.ZERO;
		}
		return (locked.isEmpty()) ? IDLE : LOCKED_ROW_DELAY;
	}

	/**
	 * Store a batch and return what has to be tried again.
	 */
	private List<Settlement> flush(List<Settlement> batch) {
		try {
			Set<Lease> settled = this.settlements.settle(batch);
			return unsettled(batch, settled);
		}
		catch (DataIntegrityViolationException ex) {
			// one of them cannot be stored; it must not hold back the others
			if (batch.size() == 1) {
				return List.of(unstorable(batch.get(0), ex));
			}
			List<Settlement> again = new ArrayList<>(flush(batch.subList(0, batch.size() / 2)));
			again.addAll(flush(batch.subList(batch.size() / 2, batch.size())));
			return again;
		}
	}

	private static Settlement unstorable(Settlement settlement, DataIntegrityViolationException ex) {
		logger.warn("The result of {} cannot be stored", settlement.attempt(), ex);
		return Settlement.failed(settlement.attempt(), AttemptError.json(ex), settlement.duration());
	}

	private List<Settlement> unsettled(List<Settlement> batch, Set<Lease> settled) {
		List<Settlement> left = new ArrayList<>();
		for (Settlement settlement : batch) {
			if (settled.contains(settlement.attempt().lease())) {
				this.observer.settled(settlement);
			}
			else {
				left.add(settlement);
			}
		}
		if (left.isEmpty()) {
			return left;
		}
		Set<Attempt> held = this.leases.stillHeld(left.stream().map(Settlement::attempt).toList());
		left.stream()
			.map(Settlement::attempt)
			.filter((attempt) -> !held.contains(attempt))
			.forEach(this.observer::leaseLost);
		left.removeIf((settlement) -> !held.contains(settlement.attempt()));
		return left;
	}

}
