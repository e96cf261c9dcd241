package dev.workhorse.internal.conductor;

import java.util.List;
import java.util.UUID;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.internal.event.PostgresEvents;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.internal.sql.AfterCommit;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.InvokeDecided;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * Invokes jobs in PostgreSQL.
 */
public final class PostgresConductor implements Conductor {

	private static final String SAVEPOINT = "workhorse_invoke_batch";

	private final CallerTransaction transaction;

	private final InvokeReader reader;

	private final InvokeSettlement settlement;

	private final PostgresEvents events;

	private final AfterCommit afterCommit = new AfterCommit();

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	public PostgresConductor(CallerTransaction transaction, String schema, JobReader jobs, KeyHasher hasher,
			KeyWait keyWait, RetentionSettings retention, PostgresEvents events, WakeUps wakeUps,
			WorkhorseListener listener) {
		this.transaction = transaction;
		this.reader = new InvokeReader(jobs, hasher);
		this.settlement = new InvokeSettlement(new PostgresInvoke(schema, retention), keyWait);
		this.events = events;
		this.wakeUps = wakeUps;
		this.listener = listener;
	}

	@Override
	public InvokeResult invokeWithResult(String task, @Nullable Object payload, InvokeOptions options) {
		List<Invocation> invocations = List.of(this.reader.read(new InvokeRequest(task, payload, options)));
		this.transaction.requireWritable("invoke");
		boolean joined = this.transaction.isActive();
		List<InvokeDecision> decisions = this.transaction
			.execute((session) -> this.settlement.settle(session, invocations));
		this.afterCommit.run(joined, () -> announce(invocations, decisions));
		return decisions.get(0).result();
	}

	@Override
	public List<InvokeResult> invokeAll(List<InvokeRequest> requests) {
		if (requests.isEmpty()) {
			return List.of();
		}
		List<Invocation> invocations = JobReader.readAll(requests, this.reader::read);
		InvokeBatch batch = new InvokeBatch(invocations);
		this.transaction.requireWritable("invoke");
		boolean joined = this.transaction.isActive();
		List<InvokeDecision> decisions = this.transaction.execute((session) -> decide(session, batch));
		this.afterCommit.run(joined, () -> announce(invocations, decisions));
		return decisions.stream().map(InvokeDecision::result).toList();
	}

	@Override
	public UUID emit(String event, @Nullable Object payload, EmitOptions options) {
		return this.events.emit(event, payload, options);
	}

	/**
	 * Decide a batch, or leave nothing of it. What the caller's transaction did before
	 * stays.
	 */
	private List<InvokeDecision> decide(Session session, InvokeBatch batch) {
		session.begin();
		session.jdbc().execute("savepoint " + SAVEPOINT);
		try {
			List<InvokeDecision> decisions = batch.expand(this.settlement.settle(session, batch.standing()));
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

	private void announce(List<Invocation> invocations, List<InvokeDecision> decisions) {
		for (int i = 0; i < invocations.size(); i++) {
			Invocation invocation = invocations.get(i);
			InvokeDecision decision = decisions.get(i);
			if (decision.superseded() != null) {
				this.wakeUps.superseded(decision.superseded());
			}
			if (decision.dueMillis() != null) {
				this.wakeUps.accepted(invocation.definition().queue(), decision.dueMillis());
			}
			this.listener.onInvoke(new InvokeDecided(decision.result().jobId(), invocation.modeLabel(),
					decision.result().outcome().label(), invocation.definition().queue(),
					invocation.definition().type()));
		}
	}

}
