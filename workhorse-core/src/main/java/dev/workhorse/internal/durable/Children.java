package dev.workhorse.internal.durable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.workhorse.EnqueueOutcome;
import dev.workhorse.handler.ChildOptions;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.job.JobParameters;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.observation.TraceContext;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.TimeOrderedIds;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Accepts children of running attempts, one for each name.
 */
public final class Children {

	private static final SqlStatement ENQUEUE_CHILD = SqlStatement.load(Children.class, "enqueue-child.sql");

	private static final String NO_KEY = "none";

	private final CallerTransaction transaction;

	private final SqlStatement enqueueChild;

	private final JobReader reader;

	private final TimeOrderedIds ids = new TimeOrderedIds();

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	private final WorkhorseInterceptor interceptor;

	public Children(CallerTransaction transaction, String schema, EnqueueSettings settings, PayloadCodec codec,
			WakeUps wakeUps, WorkhorseListener listener, WorkhorseInterceptor interceptor) {
		this.transaction = transaction;
		this.enqueueChild = ENQUEUE_CHILD.inSchema(schema);
		this.reader = new JobReader(settings, codec);
		this.wakeUps = wakeUps;
		this.listener = listener;
		this.interceptor = interceptor;
	}

	/**
	 * Start a child, unless its parent has one of that name.
	 * @return its job, or {@code null} if the parent's attempt has lost its lease
	 */
	@Nullable UUID start(Child child) {
		JobDefinition job = this.reader.read(child.type(), child.payload(), child.options().job().fields())
			.definition();
		EnqueueCall call = new EnqueueCall(job.queue(), job.type(), 1);
		Optional<UUID> id = this.interceptor.aroundEnqueue(call, () -> start(child, job, call));
		return id.orElse(null);
	}

	private Optional<UUID> start(Child child, JobDefinition job, EnqueueCall call) {
		MapSqlParameterSource values = values(child, job).addValue("trace_context",
				TraceContext.write(call.traceContext()), Types.VARCHAR);
		Started started = this.transaction.write("start a child",
				(session) -> DataAccessUtils.singleResult(session.jdbc()
					.query(this.enqueueChild.text(), this.enqueueChild.bind(values), (row, index) -> started(row))));
		if (started == null) {
			return Optional.empty();
		}
		EnqueueDecided decided = new EnqueueDecided(started.id(), NO_KEY, started.outcome().label(), job.queue(),
				job.type());
		call.decisions(List.of(decided));
		Long due = started.dueMillis();
		if (due != null) {
			this.transaction.afterCommit(() -> announce(decided, due));
		}
		return Optional.of(started.id());
	}

	private MapSqlParameterSource values(Child child, JobDefinition job) {
		Duration delay = child.options().delay();
		return JobParameters.of(job)
			.addValue("id", this.ids.next())
			.addValue("delay_ms", (delay != null) ? delay.toMillis() : null, Types.BIGINT)
			.addValue("parent_id", child.parentId())
			.addValue("fence", child.fence())
			.addValue("child_name", child.name(), Types.VARCHAR)
			.addValue("cancel_with_parent", child.options().isCancelledWithParent(), Types.BOOLEAN)
			.addValue("depth", child.depth(), Types.SMALLINT);
	}

	private static Started started(ResultSet row) throws SQLException {
		UUID id = row.getObject("child_id", UUID.class);
		long delay = row.getLong("delay_ms");
		return new Started(id, (row.wasNull()) ? null : (Long) delay);
	}

	private void announce(EnqueueDecided decided, long dueMillis) {
		this.wakeUps.accepted(decided.queue(), dueMillis);
		this.listener.onEnqueue(decided);
	}

	/**
	 * A child that was started, now or before.
	 *
	 * @param id its job
	 * @param dueMillis how long until it is due, {@code null} if it was there before
	 */
	private record Started(UUID id, @Nullable Long dueMillis) {

		EnqueueOutcome outcome() {
			return (this.dueMillis != null) ? EnqueueOutcome.ACCEPTED : EnqueueOutcome.REPLAYED;
		}

	}

	/**
	 * A child to be started.
	 *
	 * @param parentId the parent's job
	 * @param fence the fence of the parent's attempt
	 * @param depth how many ancestors the child has
	 * @param name what the parent knows it by
	 * @param type the job type
	 * @param payload what its handler is given
	 * @param options how it is run
	 */
	record Child(UUID parentId, long fence, int depth, String name, String type, @Nullable Object payload,
			ChildOptions options) {

	}

}
