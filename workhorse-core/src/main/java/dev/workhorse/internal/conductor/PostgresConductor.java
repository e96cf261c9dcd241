package dev.workhorse.internal.conductor;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.internal.event.PostgresEvents;
import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.internal.observation.TraceContext;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
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

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	private final WorkhorseInterceptor interceptor;

	public PostgresConductor(CallerTransaction transaction, String schema, JobReader jobs, KeyHasher hasher,
			KeyWait keyWait, RetentionSettings retention, PostgresEvents events, WakeUps wakeUps,
			WorkhorseListener listener, WorkhorseInterceptor interceptor) {
		this.transaction = transaction;
		this.reader = new InvokeReader(jobs, hasher);
		this.settlement = new InvokeSettlement(new PostgresInvoke(schema, retention), keyWait);
		this.events = events;
		this.wakeUps = wakeUps;
		this.listener = listener;
		this.interceptor = interceptor;
	}

	@Override
	public InvokeResult invokeWithResult(String task, @Nullable Object payload, InvokeOptions options) {
		Invocation invocation = this.reader.read(new InvokeRequest(task, payload, options));
		return intercepted(List.of(invocation), this::invokeOne).get(0);
	}

	private List<InvokeDecision> invokeOne(List<Invocation> invocations) {
		Invocation invocation = invocations.get(0);
		InvokeDecision decision = this.transaction.execute((session) -> this.settlement.settle(session, invocation));
		return List.of(decision);
	}

	@Override
	public List<InvokeResult> invokeAll(List<InvokeRequest> requests) {
		if (requests.isEmpty()) {
			return List.of();
		}
		return intercepted(JobReader.readAll(requests, this.reader::read), (invocations) -> {
			InvokeBatch batch = new InvokeBatch(invocations);
			return this.transaction
				.execute((session) -> batch.expand(this.settlement.settleAll(session, batch.standing())));
		});
	}

	private List<InvokeResult> intercepted(List<Invocation> invocations,
			Function<List<Invocation>, List<InvokeDecision>> invoke) {
		JobDefinition first = invocations.get(0).definition();
		EnqueueCall call = new EnqueueCall(first.queue(), first.type(), invocations.size());
		return this.interceptor.aroundEnqueue(call, () -> {
			String trace = TraceContext.write(call.traceContext());
			List<Invocation> traced = (trace != null)
					? invocations.stream().map((invocation) -> invocation.inTrace(trace)).toList() : invocations;
			this.transaction.requireWritable("invoke");
			List<InvokeDecision> decisions = invoke.apply(traced);
			List<InvokeDecided> decided = decided(traced, decisions);
			call.decisions(decided.stream().map(PostgresConductor::asRequest).toList());
			this.transaction.afterCommit(() -> announce(decisions, decided));
			return decisions.stream().map(InvokeDecision::result).toList();
		});
	}

	@Override
	public UUID emit(String event, @Nullable Object payload, EmitOptions options) {
		return this.events.emit(event, payload, options);
	}

	private void announce(List<InvokeDecision> decisions, List<InvokeDecided> decided) {
		for (int i = 0; i < decisions.size(); i++) {
			InvokeDecision decision = decisions.get(i);
			if (decision.superseded() != null) {
				this.wakeUps.superseded(decision.superseded());
			}
			if (decision.dueMillis() != null) {
				this.wakeUps.accepted(decided.get(i).queue(), decision.dueMillis());
			}
			this.listener.onInvoke(decided.get(i));
		}
	}

	private static List<InvokeDecided> decided(List<Invocation> invocations, List<InvokeDecision> decisions) {
		List<InvokeDecided> decided = new ArrayList<>(invocations.size());
		for (int i = 0; i < invocations.size(); i++) {
			Invocation invocation = invocations.get(i);
			InvokeResult result = decisions.get(i).result();
			decided.add(new InvokeDecided(result.jobId(), invocation.modeLabel(), result.outcome().label(),
					invocation.definition().queue(), invocation.definition().type()));
		}
		return decided;
	}

	/** An invoke is a request to an interceptor. */
	private static EnqueueDecided asRequest(InvokeDecided decided) {
		return new EnqueueDecided(decided.jobId(), decided.mode(), decided.outcome(), decided.queue(), decided.type());
	}

}
