package dev.workhorse.internal.enqueue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.UUID;

import dev.workhorse.EnqueueOutcome;
import dev.workhorse.internal.durable.ChildStarter;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.sql.AfterCommit;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EnqueueDecided;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Accepts children of running attempts, one for each name.
 */
public final class PostgresChildren implements ChildStarter {

	private static final SqlStatement ENQUEUE_CHILD = SqlStatement.load(PostgresChildren.class, "enqueue-child.sql");

	private final CallerTransaction transaction;

	private final SqlStatement enqueueChild;

	private final RequestReader reader;

	private final AfterCommit afterCommit = new AfterCommit();

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	public PostgresChildren(CallerTransaction transaction, String schema, EnqueueSettings settings, PayloadCodec codec,
			KeyHasher hasher, WakeUps wakeUps, WorkhorseListener listener) {
		this.transaction = transaction;
		this.enqueueChild = ENQUEUE_CHILD.inSchema(schema);
		this.reader = new RequestReader(settings, codec, hasher);
		this.wakeUps = wakeUps;
		this.listener = listener;
	}

	@Override
	public @Nullable UUID start(Child child) {
		JobRequest request = this.reader.read(child.type(), child.payload(), child.options().job());
		Duration delay = child.options().delay();
		MapSqlParameterSource values = EnqueueParameters.of(request)
			.addValue("delay_ms", (delay != null) ? delay.toMillis() : null, Types.BIGINT)
			.addValue("parent_id", child.parentId())
			.addValue("fence", child.fence())
			.addValue("child_name", child.name(), Types.VARCHAR)
			.addValue("cancel_with_parent", child.options().isCancelledWithParent(), Types.BOOLEAN)
			.addValue("depth", child.depth(), Types.SMALLINT);
		boolean joined = this.transaction.isActive();
		Started started = this.transaction.write("start a child",
				(session) -> DataAccessUtils.singleResult(session.jdbc()
					.query(this.enqueueChild.text(), this.enqueueChild.bind(values), (row, index) -> started(row))));
		if (started == null) {
			return null;
		}
		Long due = started.dueMillis();
		if (due != null) {
			this.afterCommit.run(joined, () -> announce(request, started.id(), due));
		}
		return started.id();
	}

	private static Started started(ResultSet row) throws SQLException {
		UUID id = row.getObject("child_id", UUID.class);
		long delay = row.getLong("delay_ms");
		return new Started(id, (row.wasNull()) ? null : (Long) delay);
	}

	private void announce(JobRequest request, UUID id, long dueMillis) {
		this.wakeUps.accepted(request.definition().queue(), dueMillis);
		this.listener.onEnqueue(new EnqueueDecided(id, request.modeLabel(), EnqueueOutcome.ACCEPTED.label(),
				request.definition().queue(), request.definition().type()));
	}

	/**
	 * A child that was started, now or before.
	 *
	 * @param id its job
	 * @param dueMillis how long until it is due, {@code null} if it was there before
	 */
	private record Started(UUID id, @Nullable Long dueMillis) {

	}

}
