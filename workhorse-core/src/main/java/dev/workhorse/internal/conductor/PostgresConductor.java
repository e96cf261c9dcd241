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
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.InvokeDecided;
import org.jspecify.annotations.Nullable;

/**
 * Invokes jobs in PostgreSQL.
 */
public final class PostgresConductor implements Conductor {

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
		Invocation invocation = this.reader.read(new InvokeRequest(task, payload, options));
		this.transaction.requireWritable("invoke");
		boolean joined = this.transaction.isActive();
		InvokeDecision decision = this.transaction.execute((session) -> this.settlement.settle(session, invocation));
		this.afterCommit.run(joined, () -> announce(List.of(invocation), List.of(decision)));
		return decision.result();
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
		List<InvokeDecision> decisions = this.transaction
			.execute((session) -> batch.expand(this.settlement.settleAll(session, batch.standing())));
		this.afterCommit.run(joined, () -> announce(invocations, decisions));
		return decisions.stream().map(InvokeDecision::result).toList();
	}

	@Override
	public UUID emit(String event, @Nullable Object payload, EmitOptions options) {
		return this.events.emit(event, payload, options);
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
