package dev.workhorse.internal.enqueue;

import java.util.Arrays;
import java.util.Objects;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.ReadOnlyTransactionException;
import dev.workhorse.internal.enqueue.PostgresEnqueue.Accepted;
import dev.workhorse.internal.enqueue.PostgresEnqueue.Attempt;
import dev.workhorse.internal.enqueue.PostgresEnqueue.Held;
import dev.workhorse.internal.enqueue.PostgresEnqueue.HeldRequest;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.sql.AfterCommit;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;

/**
 * {@link Queue} on PostgreSQL.
 */
public final class PostgresQueue implements Queue {

	/** A key that changes hands this often within one request is not decided. */
	private static final int MOST_ROUNDS = 100;

	private final CallerTransaction transaction;

	private final RequestReader reader;

	private final PostgresEnqueue statements;

	private final KeyWait keyWait;

	private final ConflictCheck conflictCheck = new ConflictCheck();

	private final AfterCommit afterCommit = new AfterCommit();

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	public PostgresQueue(CallerTransaction transaction, String schema, EnqueueSettings settings, PayloadCodec codec,
			KeyHasher hasher, WakeUps wakeUps, WorkhorseListener listener) {
		this.transaction = transaction;
		this.reader = new RequestReader(settings, codec, hasher);
		this.statements = new PostgresEnqueue(schema);
		this.keyWait = new KeyWait(settings.keyWait());
		this.wakeUps = wakeUps;
		this.listener = listener;
	}

	@Override
	public EnqueueResult enqueueWithResult(String type, @Nullable Object payload, EnqueueOptions options) {
		JobRequest request = this.reader.read(type, payload, options);
		if (this.transaction.isReadOnly()) {
			throw new ReadOnlyTransactionException("enqueue");
		}
		boolean joined = this.transaction.isActive();
		Decision decision = this.transaction.execute((session) -> decide(session, request));
		if (decision.conflict() != null) {
			// nothing was written, so the decision stands whatever becomes of the
			// transaction
			this.listener.onEnqueue(decided(request, decision.result(), "conflict"));
			throw decision.conflict();
		}
		this.afterCommit.run(joined, () -> announce(request, decision));
		return decision.result();
	}

	private void announce(JobRequest request, Decision decision) {
		EnqueueResult result = decision.result();
		if (decision.accepted() != null) {
			this.wakeUps.accepted(request.queue(), decision.accepted().delayMillis());
		}
		this.listener.onEnqueue(decided(request, result, result.outcome().label()));
	}

	private static EnqueueDecided decided(JobRequest request, EnqueueResult result, String outcome) {
		return new EnqueueDecided(result.jobId(), request.modeLabel(), outcome, request.queue(), request.type());
	}

	private Decision decide(Session session, JobRequest request) {
		KeyBinding key = request.key();
		if (key == null) {
			Accepted accepted = Objects.requireNonNull(this.statements.enqueue(session, request).accepted());
			return new Decision(new EnqueueResult(request.id(), EnqueueOutcome.ACCEPTED), accepted, null);
		}
		RequestContent content = Objects.requireNonNull(request.content());
		for (int round = 0; round < MOST_ROUNDS; round++) {
			Attempt attempt = this.keyWait.bounded(session, key.key(), () -> this.statements.enqueue(session, request));
			if (attempt.accepted() != null) {
				return accepted(session, request, key, attempt.accepted());
			}
			Held held = attempt.held();
			if (held != null && held.live()) {
				Decision decision = repeated(session, request, key, content, held);
				if (decision != null) {
					return decision;
				}
			}
			else if (held != null) {
				session.begin();
				this.keyWait.bounded(session, key.key(), () -> {
					this.statements.releaseExpired(session, held.id(), key);
					return held;
				});
			}
			// else another transaction won the key after this statement began
		}
		throw new CannotAcquireLockException(
				"Key %s changed hands %d times during one request; try again".formatted(key.key(), MOST_ROUNDS));
	}

	private Decision accepted(Session session, JobRequest request, KeyBinding key, Accepted accepted) {
		if (accepted.waited()) {
			this.statements.restart(session, request.id(), key);
		}
		return new Decision(new EnqueueResult(request.id(), EnqueueOutcome.ACCEPTED), accepted, null);
	}

	/**
	 * Answer a repeat, or {@code null} if the holder has gone in the meantime.
	 */
	private @Nullable Decision repeated(Session session, JobRequest request, KeyBinding key, RequestContent content,
			Held held) {
		EnqueueResult replay = new EnqueueResult(held.id(), EnqueueOutcome.REPLAYED);
		if (Arrays.equals(held.fingerprint(), content.fingerprint())) {
			return new Decision(replay, null, null);
		}
		HeldRequest stored = this.statements.findRequest(session, held.id());
		if (stored == null) {
			return null;
		}
		return new Decision(replay, null, this.conflictCheck.check(request, key, content, held.id(), stored));
	}

	/**
	 * What became of a request.
	 *
	 * @param result the answer to the caller
	 * @param accepted the new job, {@code null} for a repeat
	 * @param conflict the reason to refuse the request
	 */
	private record Decision(EnqueueResult result, @Nullable Accepted accepted,
			@Nullable EnqueueIdempotencyConflictException conflict) {

	}

}
