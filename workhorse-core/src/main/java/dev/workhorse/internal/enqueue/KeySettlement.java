package dev.workhorse.internal.enqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.workhorse.EnqueueIdempotencyConflictException.Conflict;
import dev.workhorse.KeyMode;
import dev.workhorse.NonReplaceableReason;
import dev.workhorse.internal.enqueue.PostgresEnqueue.Attempt;
import dev.workhorse.internal.enqueue.PostgresEnqueue.Held;
import dev.workhorse.internal.enqueue.PostgresEnqueue.HeldRequest;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.key.Rounds;
import dev.workhorse.internal.sql.Session;

/**
 * Decides requests with distinct keys. The first statement settles nearly all of them;
 * what it leaves open, because a ttl is over or another transaction was faster, is
 * decided in further rounds, each in new statements that see what has been committed
 * since.
 */
final class KeySettlement {

	/** How many requests are usually left open by the first statement. */
	private static final int FEW = 1;

	private final PostgresEnqueue statements;

	private final KeyWait keyWait;

	private final ConflictCheck conflictCheck;

	private final RecentKeys recentKeys = new RecentKeys();

	KeySettlement(PostgresEnqueue statements, KeyWait keyWait, ConflictCheck conflictCheck) {
		this.statements = statements;
		this.keyWait = keyWait;
		this.conflictCheck = conflictCheck;
	}

	/**
	 * Decide requests.
	 * @return the decisions in the order of the requests
	 */
	List<Decision> settle(Session session, List<JobRequest> requests) {
		IdentityHashMap<JobRequest, Decision> decisions = new IdentityHashMap<>(requests.size());
		List<JobRequest> open = requests;
		for (int round = 0; !open.isEmpty(); round++) {
			if (round == Rounds.MOST) {
				throw Rounds.exhausted(keys(open), "request");
			}
			new Round(session, open, decisions).run();
			open = open.stream().filter((request) -> !decisions.containsKey(request)).toList();
		}
		return requests.stream().map((request) -> Objects.requireNonNull(decisions.get(request))).toList();
	}

	/**
	 * Decide what can be decided at once of requests of several callers.
	 * @return the decisions by the ids of the jobs; who is missing is to be settled alone
	 */
	Map<UUID, Decision> settleGroup(Session session, List<JobRequest> requests) {
		Map<UUID, Decision> decisions = new HashMap<>();
		this.statements.enqueueGroup(session, requests)
			.forEach((id, delay) -> decisions.put(id, Decision.accepted(id, delay)));
		// accepted, or in the way
		requests.stream().map(JobRequest::key).filter(Objects::nonNull).forEach(this::remember);
		return decisions;
	}

	private void remember(KeyBinding key) {
		this.recentKeys.remember(key.digest());
	}

	/**
	 * Whether this process has lately seen a key held.
	 */
	boolean isLikelyHeld(KeyDigest key) {
		return this.recentKeys.contains(key);
	}

	private static String keys(List<JobRequest> requests) {
		KeyBinding first = requests.get(0).key();
		return (requests.size() == 1 && first != null) ? "Key " + first.key() : "A key of the batch";
	}

	/**
	 * One round of statements for the requests that are still open.
	 */
	private final class Round {

		private final Session session;

		private final List<JobRequest> open;

		private final IdentityHashMap<JobRequest, Decision> decisions;

		private final IdentityHashMap<JobRequest, Held> different = new IdentityHashMap<>(FEW);

		private final IdentityHashMap<JobRequest, Held> elapsed = new IdentityHashMap<>(FEW);

		private final Map<UUID, KeyDigest> expired = new LinkedHashMap<>();

		private Round(Session session, List<JobRequest> open, IdentityHashMap<JobRequest, Decision> decisions) {
			this.session = session;
			this.open = open;
			this.decisions = decisions;
		}

		private void run() {
			List<Attempt> attempts = attempts();
			List<UUID> waited = new ArrayList<>();
			for (int i = 0; i < attempts.size(); i++) {
				classify(this.open.get(i), attempts.get(i));
				if (attempts.get(i).waited() && this.open.get(i).key() != null) {
					waited.add(this.open.get(i).id());
				}
			}
			if (!waited.isEmpty()) {
				KeySettlement.this.statements.restart(this.session, waited);
			}
			decideElapsed();
			decideDifferent();
			releaseExpired();
		}

		private List<Attempt> attempts() {
			JobRequest first = this.open.get(0);
			KeyBinding key = first.key();
			if (this.open.size() == 1 && key != null && !first.isDebounced() && isLikelyHeld(key.digest())) {
				Attempt repeated = KeySettlement.this.statements.findRepeated(this.session, key);
				if (repeated != null) {
					return List.of(repeated);
				}
			}
			return KeySettlement.this.keyWait.bounded(this.session, () -> keys(this.open),
					() -> KeySettlement.this.statements.enqueue(this.session, this.open));
		}

		private void classify(JobRequest request, Attempt attempt) {
			if (request.key() != null && (attempt.accepted() || attempt.held() != null)) {
				remember(request.key());
			}
			Held held = attempt.held();
			if (attempt.accepted()) {
				this.decisions.put(request, Decision.accepted(request.id(), attempt.delayMillis()));
			}
			else if (held != null && attempt.replaced()) {
				this.decisions.put(request, Decision.replaced(held.id(), attempt.delayMillis()));
			}
			else if (held != null && request.isDebounced()) {
				classifyDebounced(request, held);
			}
			else if (held != null && !held.live()) {
				expire(request, held);
			}
			else if (held != null) {
				classifyRepeated(request, held);
			}
		}

		private void classifyDebounced(JobRequest request, Held held) {
			if (!held.mode().equals(KeyMode.DEBOUNCE.label())) {
				if (held.live()) {
					this.decisions.put(request,
							Decision.nonReplaceable(held.id(), NonReplaceableReason.INCOMPATIBLE_KEY_MODE));
				}
				else {
					expire(request, held);
				}
			}
			else if (Boolean.TRUE.equals(held.windowOpen())) {
				this.decisions.put(request, Decision.nonReplaceable(held.id(), NonReplaceableReason.NOT_PENDING));
			}
			else if (Boolean.FALSE.equals(held.windowOpen())) {
				this.elapsed.put(request, held);
			}
		}

		private void classifyRepeated(JobRequest request, Held held) {
			RequestContent content = Objects.requireNonNull(request.content());
			if (Arrays.equals(held.fingerprint(), content.fingerprint())) {
				this.decisions.put(request, Decision.repeated(held.id(), request.key(), null));
			}
			else {
				this.different.put(request, held);
			}
		}

		private void expire(JobRequest request, Held held) {
			this.expired.put(held.id(), Objects.requireNonNull(request.key()).digest());
		}

		private void decideElapsed() {
			if (this.elapsed.isEmpty()) {
				return;
			}
			Set<UUID> unstarted = KeySettlement.this.statements.findUnstarted(this.session,
					this.elapsed.values().stream().map(Held::id).toList());
			this.elapsed.forEach((request, held) -> {
				if (unstarted.contains(held.id())) {
					this.decisions.put(request,
							Decision.nonReplaceable(held.id(), NonReplaceableReason.WINDOW_ELAPSED_PENDING));
				}
				else {
					expire(request, held);
				}
			});
		}

		private void decideDifferent() {
			if (this.different.isEmpty()) {
				return;
			}
			Map<UUID, HeldRequest> stored = KeySettlement.this.statements.findRequests(this.session,
					this.different.values().stream().map(Held::id).toList());
			this.different.forEach((request, held) -> {
				HeldRequest found = stored.get(held.id());
				// else the holder has gone in the meantime
				if (found != null) {
					Conflict conflict = KeySettlement.this.conflictCheck.withStored(request, held.id(), found);
					this.decisions.put(request, Decision.repeated(held.id(), request.key(), conflict));
				}
			});
		}

		private void releaseExpired() {
			if (this.expired.isEmpty()) {
				return;
			}
			this.session.begin();
			KeySettlement.this.keyWait.bounded(this.session, () -> keys(this.open), () -> {
				KeySettlement.this.statements.releaseExpired(this.session, this.expired);
				return this.expired;
			});
		}

	}

}
