package dev.workhorse.internal.enqueue;

import java.util.List;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.sql.AfterCommit;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * {@link Queue} on PostgreSQL.
 */
public final class PostgresQueue implements Queue {

	private static final String SAVEPOINT = "workhorse_batch";

	private final CallerTransaction transaction;

	private final RequestReader reader;

	private final ConflictCheck conflictCheck = new ConflictCheck();

	private final KeySettlement settlement;

	private final AfterCommit afterCommit = new AfterCommit();

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	public PostgresQueue(CallerTransaction transaction, String schema, EnqueueSettings settings, PayloadCodec codec,
			KeyHasher hasher, WakeUps wakeUps, WorkhorseListener listener) {
		this.transaction = transaction;
		this.reader = new RequestReader(settings, codec, hasher);
		this.settlement = new KeySettlement(new PostgresEnqueue(schema), new KeyWait(settings.keyWait()),
				this.conflictCheck);
		this.wakeUps = wakeUps;
		this.listener = listener;
	}

	@Override
	public EnqueueResult enqueueWithResult(String type, @Nullable Object payload, EnqueueOptions options) {
		JobRequest request = this.reader.read(type, payload, options);
		this.transaction.requireWritable("enqueue");
		boolean joined = this.transaction.isActive();
		List<JobRequest> requests = List.of(request);
		List<Decision> decisions = this.transaction.execute((session) -> this.settlement.settle(session, requests));
		refuseConflict(requests, decisions, false);
		this.afterCommit.run(joined, () -> announce(requests, decisions));
		return decisions.get(0).result();
	}

	@Override
	public List<EnqueueResult> enqueueAll(List<EnqueueRequest> requests) {
		if (requests.isEmpty()) {
			return List.of();
		}
		List<JobRequest> read = JobReader.readAll(requests,
				(request) -> this.reader.read(request.type(), request.payload(), request.options()));
		EnqueueBatch batch = new EnqueueBatch(read);
		this.transaction.requireWritable("enqueue");
		boolean joined = this.transaction.isActive();
		List<Decision> decisions = this.transaction.execute((session) -> decide(session, read, batch));
		this.afterCommit.run(joined, () -> announce(read, decisions));
		return decisions.stream().map(Decision::result).toList();
	}

	/**
	 * Decide a batch, or leave nothing of it. What the caller's transaction did before
	 * stays.
	 */
	private List<Decision> decide(Session session, List<JobRequest> requests, EnqueueBatch batch) {
		session.begin();
		session.jdbc().execute("savepoint " + SAVEPOINT);
		try {
			List<Decision> decided = this.settlement.settle(session, batch.standing());
			List<Decision> decisions = batch.expand(decided, this.conflictCheck);
			refuseConflict(requests, decisions, true);
			session.jdbc().execute("release savepoint " + SAVEPOINT);
			return decisions;
		}
		catch (RuntimeException ex) {
			leaveNothing(session, ex);
			throw ex;
		}
	}

	private static void leaveNothing(Session session, RuntimeException cause) {
		try {
			session.jdbc().execute("rollback to savepoint " + SAVEPOINT);
		}
		catch (DataAccessException ex) {
			cause.addSuppressed(ex);
		}
	}

	private void refuseConflict(List<JobRequest> requests, List<Decision> decisions, boolean batch) {
		for (int i = 0; i < decisions.size(); i++) {
			Decision decision = decisions.get(i);
			if (decision.conflict() != null) {
				// nothing of it was written, so it stands whatever becomes of the
				// transaction
				this.listener.onEnqueue(decided(requests.get(i), decision));
				throw new EnqueueIdempotencyConflictException(decision.conflict(), (batch) ? i : null);
			}
		}
	}

	private void announce(List<JobRequest> requests, List<Decision> decisions) {
		for (int i = 0; i < requests.size(); i++) {
			Long due = decisions.get(i).dueMillis();
			if (due != null) {
				this.wakeUps.accepted(requests.get(i).definition().queue(), due);
			}
			this.listener.onEnqueue(decided(requests.get(i), decisions.get(i)));
		}
	}

	private static EnqueueDecided decided(JobRequest request, Decision decision) {
		return new EnqueueDecided(decision.result().jobId(), request.modeLabel(), decision.outcomeLabel(),
				request.definition().queue(), request.definition().type());
	}

}
