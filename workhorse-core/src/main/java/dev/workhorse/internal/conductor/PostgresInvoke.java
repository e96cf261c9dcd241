package dev.workhorse.internal.conductor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import dev.workhorse.EnqueueKey;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.internal.job.JobParameters;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The statements that decide invokes.
 */
final class PostgresInvoke {

	private static final SqlStatement INVOKE_JOBS = SqlStatement.load(PostgresInvoke.class, "invoke-jobs.sql");

	private static final SqlStatement MOVE_TO_CURRENT_SLOT = SqlStatement.load(PostgresInvoke.class,
			"move-to-current-slot.sql");

	private final SqlStatement invokeJobs;

	private final SqlStatement moveToCurrentSlot;

	private final RetentionSettings retention;

	PostgresInvoke(String schema, RetentionSettings retention) {
		this.invokeJobs = INVOKE_JOBS.inSchema(schema);
		this.moveToCurrentSlot = MOVE_TO_CURRENT_SLOT.inSchema(schema);
		this.retention = retention;
	}

	/**
	 * Decide invokes of different keys. The answers are in their order.
	 */
	List<Answer> invoke(Session session, List<Invocation> invocations) {
		MapSqlParameterSource values = JobParameters.of(invocations.stream().map(Invocation::definition).toList())
			.addValue("ids", SqlArrays.uuid(invocations.stream().map(Invocation::id).toList()))
			.addValue("delays_ms", JobParameters.array("bigint", invocations, Invocation::delayMillis))
			.addValue("key_hashes",
					JobParameters.bytea(invocations,
							(invocation) -> (invocation.key() != null) ? invocation.key().digest().bytes() : null))
			.addValue("key_modes", key("text", invocations, (key) -> key.mode().label()))
			.addValue("key_previews", dedupeKey("text", invocations, EnqueueKey::preview))
			.addValue("key_lengths", dedupeKey("bigint", invocations, (key) -> (long) key.length()))
			.addValue("slots_ms", key("bigint", invocations, InvokeKey::slotMillis))
			// one call has one trace
			.addValue("trace_context", invocations.get(0).traceContext(), Types.VARCHAR)
			.addValue("succeeded_ms", this.retention.succeeded().toMillis(), Types.BIGINT)
			.addValue("failed_ms", this.retention.failed().toMillis(), Types.BIGINT)
			.addValue("cancelled_ms", this.retention.cancelled().toMillis(), Types.BIGINT);
		return session.jdbc().query(this.invokeJobs.text(), this.invokeJobs.bind(values), PostgresInvoke::answer);
	}

	/**
	 * Move executions that were just created on to the slot that is current now.
	 */
	void moveToCurrentSlot(Session session, Collection<UUID> jobs) {
		session.jdbc()
			.update(this.moveToCurrentSlot.text(),
					this.moveToCurrentSlot.bind(new MapSqlParameterSource("ids", SqlArrays.uuid(jobs))));
	}

	private static Answer answer(ResultSet row, int index) throws SQLException {
		String label = row.getString("outcome");
		if (label == null) {
			return new Answer(null, false);
		}
		InvokeOutcome outcome = InvokeOutcome.valueOf(label.toUpperCase(Locale.ROOT));
		UUID job = (outcome != InvokeOutcome.THROTTLED) ? row.getObject("job_id", UUID.class) : null;
		long delay = row.getLong("delay_ms");
		Long due = (row.wasNull()) ? null : Long.valueOf(delay);
		return new Answer(
				new InvokeDecision(new InvokeResult(job, outcome), due, row.getObject("superseded_id", UUID.class)),
				row.getBoolean("slot_passed"));
	}

	private static SqlArrayValue key(String type, List<Invocation> invocations,
			Function<InvokeKey, @Nullable Object> column) {
		return JobParameters.array(type, invocations,
				(invocation) -> (invocation.key() != null) ? column.apply(invocation.key()) : null);
	}

	private static SqlArrayValue dedupeKey(String type, List<Invocation> invocations,
			Function<EnqueueKey, @Nullable Object> column) {
		return key(type, invocations, (key) -> (key.dedupeKey() != null) ? column.apply(key.dedupeKey()) : null);
	}

	/**
	 * What one statement says of an invoke.
	 *
	 * @param decision the decision, {@code null} if what the key holds changed meanwhile
	 * @param slotPassed whether the execution was created for a slot that is over
	 */
	record Answer(@Nullable InvokeDecision decision, boolean slotPassed) {

		UUID created() {
			return Objects.requireNonNull(Objects.requireNonNull(this.decision).result().jobId());
		}

	}

}
