package dev.workhorse.internal.worker;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

/**
 * Stores the ends of attempts in groups: while one batch is on its way the next gathers,
 * so that an idle system stores at once and a busy one hundreds at a time. Nothing is
 * dropped while the database is away.
 */
final class Completer {

	private static final Logger logger = LoggerFactory.getLogger(Completer.class);

	private static final int MOST = 500;

	/** How many characters of results and errors one statement carries at the most. */
	private static final int MOST_LENGTH = 8 * 1024 * 1024;

	/** How many ends may wait; what is not stored runs again if the node dies. */
	private static final int MOST_UNSTORED = 4 * MOST;

	/** How soon a row that another transaction has locked is tried again. */
	private static final Duration LOCKED_ROW_DELAY = Duration.ofMillis(50);

	private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(1);

	private static final String LIMIT_EXCEEDED = "54";

	private static final Duration IDLE = Duration.ofMinutes(1);

	private final PostgresSettlements settlements;

	private final PostgresLeases leases;

	private final Observer observer;

	private final ProgressWriter progress;

	private final LinkedBlockingQueue<Settlement> waiting = new LinkedBlockingQueue<>();

	/**
	 * What is to be stored next, a statement each; kept if a round fails. Only the loop's
	 * thread uses it, as well as the next two.
	 */
	private final Deque<List<Settlement>> batches = new ArrayDeque<>();

	/** Whether the first batch may have been stored by a try whose answer was lost. */
	private boolean uncertain;

	/** Ends whose row another transaction has locked. They delay nobody else. */
	private final Queue<Settlement> locked = new ArrayDeque<>();

	private long nextLocked = System.nanoTime();

	private final AtomicInteger unstored = new AtomicInteger();

	private final Loop loop = new Loop("completer", true, this::round, this::last, LONGEST_BACK_OFF);

	Completer(PostgresSettlements settlements, PostgresLeases leases, Observer observer, ProgressWriter progress) {
		this.settlements = settlements;
		this.leases = leases;
		this.observer = observer;
		this.progress = progress;
	}

	void start() {
		this.loop.start();
	}

	void settle(Settlement settlement) {
		this.unstored.incrementAndGet();
		this.waiting.add(settlement);
		this.loop.wake();
	}

	/**
	 * Whether so many ends wait to be stored that nothing more is to be begun.
	 */
	boolean isBehind() {
		return this.unstored.get() >= MOST_UNSTORED;
	}

	/**
	 * Store what is left, and stop.
	 */
	void stop(long deadline) {
		this.loop.stop(deadline);
		int left = this.unstored.get();
		if (left > 0) {
			logger.warn("Could not store how {} attempts ended; their jobs run again once their leases are over", left);
		}
	}

	private Duration round() {
		boolean again = !this.locked.isEmpty() && System.nanoTime() - this.nextLocked >= 0;
		if (again) {
			take(this.locked);
			this.nextLocked = System.nanoTime() + LOCKED_ROW_DELAY.toNanos();
		}
		take(this.waiting);
		while (!this.batches.isEmpty()) {
			store(this.batches.element());
		}
		if (!this.waiting.isEmpty()) {
			return Duration.ZERO;
		}
		return (this.locked.isEmpty()) ? IDLE : LOCKED_ROW_DELAY;
	}

	private void last() {
		while (!this.batches.isEmpty() || !this.waiting.isEmpty()) {
			round();
		}
	}

	/**
	 * Make batches of everything a queue holds now.
	 */
	private void take(Queue<Settlement> from) {
		List<Settlement> batch = new ArrayList<>();
		long length = 0;
		for (int left = from.size(); left > 0; left--) {
			Settlement next = from.remove();
			if (!batch.isEmpty() && (batch.size() == MOST || length + next.length() > MOST_LENGTH)) {
				this.batches.add(batch);
				batch = new ArrayList<>();
				length = 0;
			}
			batch.add(next);
			length += next.length();
		}
		if (!batch.isEmpty()) {
			this.batches.add(batch);
		}
	}

	/**
	 * Store the first batch. It is taken off once that is done, so that nothing is stored
	 * twice or lost when the database goes away in between.
	 */
	private void store(List<Settlement> batch) {
		Map<Lease, String> settled;
		try {
			// the last value, which the end of the attempt makes unwritable
			this.progress.store(batch.stream().map(Settlement::attempt).toList());
			settled = this.settlements.settle(batch);
		}
		catch (DataAccessException ex) {
			if (!isUnstorable(ex)) {
				this.uncertain = true;
				throw ex;
			}
			this.batches.remove();
			withoutUnstorable(batch, ex);
			return;
		}
		catch (TransactionException ex) {
			this.uncertain = true;
			throw ex;
		}
		List<Settlement> left = new ArrayList<>(batch);
		left.removeIf((settlement) -> settled.containsKey(settlement.attempt().lease()));
		Set<Attempt> held = stillHeld(left);
		left.removeIf((settlement) -> held.contains(settlement.attempt()));
		Map<Lease, Settlement> stored = storedBefore(left);
		this.uncertain = false;
		this.batches.remove();
		for (Settlement settlement : batch) {
			Lease lease = settlement.attempt().lease();
			String ending = settled.get(lease);
			Settlement end = (ending != null) ? settlement.storedAs(ending) : stored.get(lease);
			if (end != null) {
				this.unstored.decrementAndGet();
				this.observer.settled(end);
			}
			else if (held.contains(settlement.attempt())) {
				this.locked.add(settlement);
			}
			else {
				this.unstored.decrementAndGet();
				this.observer.leaseLost(settlement.attempt());
			}
		}
		this.observer.stored(settled.size());
	}

	/**
	 * Of ends that nothing is left to be written for, those that were stored although
	 * their connection died before it said so: by the handler's own transaction, or by a
	 * try of this batch.
	 */
	private Map<Lease, Settlement> storedBefore(List<Settlement> left) {
		Map<Lease, Settlement> stored = new HashMap<>();
		addStored(left.stream().map((settlement) -> settlement.attempt().uncertainEnd()).toList(), stored);
		stored.values()
			.forEach((end) -> logger.info("Its commit was stored, although it was not confirmed: {}", end.attempt()));
		if (this.uncertain) {
			addStored(left.stream().filter((settlement) -> !stored.containsKey(settlement.attempt().lease())).toList(),
					stored);
		}
		return stored;
	}

	private void addStored(List<? extends @Nullable Settlement> possible, Map<Lease, Settlement> stored) {
		List<Settlement> ends = new ArrayList<>();
		possible.forEach((end) -> {
			if (end != null) {
				ends.add(end);
			}
		});
		if (ends.isEmpty()) {
			return;
		}
		Map<Lease, String> found = this.settlements.findStored(ends);
		for (Settlement end : ends) {
			String ending = found.get(end.attempt().lease());
			if (ending != null) {
				stored.put(end.attempt().lease(), end.storedAs(ending));
			}
		}
	}

	private Set<Attempt> stillHeld(List<Settlement> unsettled) {
		return (unsettled.isEmpty()) ? Set.of()
				: this.leases.stillHeld(unsettled.stream().map(Settlement::attempt).toList());
	}

	/**
	 * One of a batch cannot be stored; it must not hold back the others.
	 */
	private void withoutUnstorable(List<Settlement> batch, DataAccessException ex) {
		if (batch.size() > 1) {
			this.batches.addFirst(batch.subList(batch.size() / 2, batch.size()));
			this.batches.addFirst(batch.subList(0, batch.size() / 2));
			return;
		}
		Settlement settlement = batch.get(0);
		logger.warn("The end of {} cannot be stored", settlement.attempt(), ex);
		String error = AttemptError.unstorable(ex);
		if (error.equals(settlement.error())) {
			this.unstored.decrementAndGet();
			this.observer.leaseLost(settlement.attempt());
			return;
		}
		this.batches.addFirst(List.of(Settlement.failed(settlement.attempt(), error, settlement.duration())));
	}

	private static boolean isUnstorable(DataAccessException ex) {
		// Spring takes a limit that a value exceeds for a lack of resources
		return ex instanceof DataIntegrityViolationException || (ex.getRootCause() instanceof SQLException cause
				&& cause.getSQLState() != null && cause.getSQLState().startsWith(LIMIT_EXCEEDED));
	}

}
