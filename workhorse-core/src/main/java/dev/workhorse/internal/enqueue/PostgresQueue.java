package dev.workhorse.internal.enqueue;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.observation.TraceContext;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * {@link Queue} on PostgreSQL.
 */
public final class PostgresQueue implements Queue {

	private static final Logger logger = LoggerFactory.getLogger(PostgresQueue.class);

	private static final String SAVEPOINT = "workhorse_batch";

	/** Data, integrity, rolled back transaction, lock not available. */
	private static final Pattern ROLLED_BACK = Pattern.compile("(?!40003)(22|23|40)...|55P03");

	private final CallerTransaction transaction;

	private final RequestReader reader;

	private final ConflictCheck conflictCheck = new ConflictCheck();

	private final KeySettlement settlement;

	private final RequestGroups groups;

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	private final WorkhorseInterceptor interceptor;

	public PostgresQueue(CallerTransaction transaction, String schema, EnqueueSettings settings, PayloadCodec codec,
			KeyHasher hasher, WakeUps wakeUps, WorkhorseListener listener, WorkhorseInterceptor interceptor) {
		this.transaction = transaction;
		this.reader = new RequestReader(settings, codec, hasher);
		this.settlement = new KeySettlement(new PostgresEnqueue(schema), new KeyWait(settings.keyWait()),
				this.conflictCheck);
		this.groups = new RequestGroups(this::enqueueTogether, this::enqueueAlone, this.settlement::isLikelyHeld,
				RequestGroups.OVERDUE);
		this.wakeUps = wakeUps;
		this.listener = listener;
		this.interceptor = interceptor;
	}

	@Override
	public EnqueueResult enqueueWithResult(String type, @Nullable Object payload, EnqueueOptions options) {
		JobRequest request = this.reader.read(type, payload, options);
		return intercepted(List.of(request), this::enqueueOne).get(0);
	}

	private List<Decision> enqueueOne(List<JobRequest> requests) {
		JobRequest request = requests.get(0);
		boolean grouped = !this.transaction.isActive() && this.transaction.isShareable() && !request.isDebounced()
				&& (request.key() == null || !this.settlement.isLikelyHeld(request.key().digest()));
		List<Decision> decisions = List.of((grouped) ? this.groups.decide(request) : enqueueAlone(request));
		refuseConflict(requests, decisions, false);
		return decisions;
	}

	private Decision enqueueAlone(JobRequest request) {
		return this.transaction.execute((session) -> this.settlement.settle(session, List.of(request))).get(0);
	}

	private Map<UUID, Decision> enqueueTogether(List<JobRequest> requests) {
		try {
			return this.transaction.execute((session) -> this.settlement.settleGroup(session, requests));
		}
		catch (DataAccessException ex) {
			// an interrupt was meant for this thread, and may have closed its connection;
			// what was stored nevertheless is found again by its id
			if (!isRolledBack(ex) && !Thread.currentThread().isInterrupted()) {
				throw ex;
			}
			logger.debug("{} requests are decided one by one, as one of them is in the way of the others",
					requests.size(), ex);
			return Map.of();
		}
	}

	/**
	 * Whether the server refused a statement for what was in it, or for whom it would
	 * have waited, so that it is known to have left nothing.
	 */
	private static boolean isRolledBack(DataAccessException ex) {
		return ex.getRootCause() instanceof SQLException cause && cause.getSQLState() != null
				&& ROLLED_BACK.matcher(cause.getSQLState()).matches();
	}

	@Override
	public List<EnqueueResult> enqueueAll(List<EnqueueRequest> requests) {
		if (requests.isEmpty()) {
			return List.of();
		}
		List<JobRequest> checked = JobReader.readAll(requests,
				(request) -> this.reader.read(request.type(), request.payload(), request.options()));
		return intercepted(checked, (read) -> {
			EnqueueBatch batch = new EnqueueBatch(read);
			return this.transaction.execute((session) -> decide(session, read, batch));
		});
	}

	private List<EnqueueResult> intercepted(List<JobRequest> requests,
			Function<List<JobRequest>, List<Decision>> enqueue) {
		JobDefinition first = requests.get(0).definition();
		EnqueueCall call = new EnqueueCall(first.queue(), first.type(), requests.size());
		return this.interceptor.aroundEnqueue(call, () -> {
			String trace = TraceContext.write(call.traceContext());
			List<JobRequest> traced = (trace != null)
					? requests.stream().map((request) -> request.inTrace(trace)).toList() : requests;
			this.transaction.requireWritable("enqueue");
			List<Decision> decisions = enqueue.apply(traced);
			List<EnqueueDecided> decided = decided(traced, decisions);
			call.decisions(decided);
			this.transaction.afterCommit(() -> announce(decisions, decided));
			return decisions.stream().map(Decision::result).toList();
		});
	}

	/**
	 * Decide a batch, or leave nothing of it. What the caller's transaction did before
	 * stays.
	 */
	private List<Decision> decide(Session session, List<JobRequest> requests, EnqueueBatch batch) {
		return session.allOrNothing(SAVEPOINT, () -> {
			List<Decision> decided = this.settlement.settle(session, batch.standing());
			List<Decision> decisions = batch.expand(decided, this.conflictCheck);
			refuseConflict(requests, decisions, true);
			return decisions;
		});
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

	private void announce(List<Decision> decisions, List<EnqueueDecided> decided) {
		for (int i = 0; i < decisions.size(); i++) {
			Long due = decisions.get(i).dueMillis();
			if (due != null) {
				this.wakeUps.accepted(decided.get(i).queue(), due);
			}
			this.listener.onEnqueue(decided.get(i));
		}
	}

	private static List<EnqueueDecided> decided(List<JobRequest> requests, List<Decision> decisions) {
		List<EnqueueDecided> decided = new ArrayList<>(requests.size());
		for (int i = 0; i < requests.size(); i++) {
			decided.add(decided(requests.get(i), decisions.get(i)));
		}
		return decided;
	}

	private static EnqueueDecided decided(JobRequest request, Decision decision) {
		return new EnqueueDecided(decision.result().jobId(), request.modeLabel(), decision.outcomeLabel(),
				request.definition().queue(), request.definition().type());
	}

}
