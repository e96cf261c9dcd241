package dev.workhorse.internal.durable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.internal.durable.WaitRequest.AwaitedEvent;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statements behind the steps of handlers. They join the transaction of the handler's
 * thread, if there is one.
 */
final class StepStore {

	private static final SqlStatement FIND_STEPS = SqlStatement.load(StepStore.class, "find-steps.sql");

	private static final SqlStatement STORE_CHECKPOINT = SqlStatement.load(StepStore.class, "store-checkpoint.sql");

	private static final SqlStatement FIND_CHILDREN = SqlStatement.load(StepStore.class, "find-children.sql");

	private static final SqlStatement END_WAITS = SqlStatement.load(StepStore.class, "end-waits.sql");

	private static final SqlStatement DECIDE_EVENT = SqlStatement.load(StepStore.class, "decide-event.sql");

	private static final SqlStatement READ_CLOCK = SqlStatement.load(StepStore.class, "read-clock.sql");

	private final CallerTransaction transaction;

	private final SqlStatement findSteps;

	private final SqlStatement storeCheckpoint;

	private final SqlStatement findChildren;

	private final SqlStatement endWaits;

	private final SqlStatement decideEvent;

	private final SqlStatement readClock;

	StepStore(CallerTransaction transaction, String schema) {
		this.transaction = transaction;
		this.findSteps = FIND_STEPS.inSchema(schema);
		this.storeCheckpoint = STORE_CHECKPOINT.inSchema(schema);
		this.findChildren = FIND_CHILDREN.inSchema(schema);
		this.endWaits = END_WAITS.inSchema(schema);
		this.decideEvent = DECIDE_EVENT.inSchema(schema);
		this.readClock = READ_CLOCK.inSchema(schema);
	}

	/**
	 * Whether what is written now can still be rolled back.
	 */
	boolean isInTransaction() {
		return this.transaction.isActive();
	}

	List<StoredStep> findSteps(UUID jobId) {
		return this.transaction.execute((session) -> session.jdbc()
			.query(this.findSteps.text(), this.findSteps.bind(new MapSqlParameterSource("job_id", jobId)),
					(row, index) -> step(row)));
	}

	private static StoredStep step(ResultSet row) throws SQLException {
		return new StoredStep(row.getString("kind"), row.getString("name"), row.getInt("seq"), row.getString("value"),
				row.getObject("child_id", UUID.class), SqlValues.instantOrNull(row, "until"), row.getBoolean("due"),
				row.getBoolean("ended"), row.getObject("event_id", UUID.class));
	}

	/**
	 * Store a value.
	 * @return whether the attempt still has its lease
	 */
	boolean storeCheckpoint(Attempted attempt, String name, int seq, String value) {
		MapSqlParameterSource values = attempt.values()
			.addValue("name", name, Types.VARCHAR)
			.addValue("seq", seq)
			.addValue("value", value, Types.VARCHAR);
		return write("store a checkpoint", this.storeCheckpoint, values);
	}

	/**
	 * End waits whose time is over.
	 * @return whether the attempt still has its lease
	 */
	boolean endWaits(Attempted attempt, Collection<String> names) {
		return write("end a wait", this.endWaits,
				attempt.values().addValue("names", SqlArrays.text(names), Types.ARRAY));
	}

	private boolean write(String operation, SqlStatement statement, MapSqlParameterSource values) {
		Long held = this.transaction.write(operation, (session) -> DataAccessUtils.requiredSingleResult(
				session.jdbc().query(statement.text(), statement.bind(values), (row, index) -> row.getLong(1))));
		return held > 0;
	}

	List<ChildEnd> findChildren(Collection<UUID> ids) {
		MapSqlParameterSource values = new MapSqlParameterSource("ids", SqlArrays.uuid(ids));
		return this.transaction.execute((session) -> session.jdbc()
			.query(this.findChildren.text(), this.findChildren.bind(values), (row, index) -> childEnd(row)));
	}

	private static ChildEnd childEnd(ResultSet row) throws SQLException {
		return new ChildEnd(row.getObject("id", UUID.class), row.getString("state"), row.getString("result"),
				row.getString("error_type"), row.getString("error_message"));
	}

	/**
	 * Decide a wait for an event, if that can be done by now.
	 */
	EventDecision decideEvent(Attempted attempt, String name, int seq, AwaitedEvent event) {
		MapSqlParameterSource values = attempt.values()
			.addValue("name", name, Types.VARCHAR)
			.addValue("seq", seq)
			.addValue("event", event.name(), Types.VARCHAR)
			.addValue("filter", event.filter(), Types.VARCHAR);
		return this.transaction.write("wait for an event",
				(session) -> DataAccessUtils.requiredSingleResult(session.jdbc()
					.query(this.decideEvent.text(), this.decideEvent.bind(values),
							(row, index) -> new EventDecision(row.getLong("held") > 0, row.getBoolean("decided"),
									row.getObject("event_id", UUID.class), row.getString("value")))));
	}

	Instant now() {
		return this.transaction.execute((session) -> Objects.requireNonNull(DataAccessUtils.requiredSingleResult(
				session.jdbc().query(this.readClock.text(), (row, index) -> SqlValues.instant(row, "at")))));
	}

	/**
	 * The attempt that writes.
	 *
	 * @param jobId its job
	 * @param fence its fence
	 */
	record Attempted(UUID jobId, long fence) {

		private MapSqlParameterSource values() {
			return new MapSqlParameterSource("job_id", this.jobId).addValue("fence", this.fence);
		}

	}

	/**
	 * A step as it is stored.
	 *
	 * @param kind the kind of step, or {@code child-wait}
	 * @param name its name
	 * @param seq its place in the order of the steps
	 * @param value its value as JSON text
	 * @param childId the child
	 * @param until when a wait is over at the latest
	 * @param due whether that time has come
	 * @param ended whether it was decided that a wait has ended
	 * @param eventId the event that ended it
	 */
	record StoredStep(String kind, String name, int seq, @Nullable String value, @Nullable UUID childId,
			@Nullable Instant until, boolean due, boolean ended, @Nullable UUID eventId) {

	}

	/**
	 * What is decided of a wait for an event.
	 *
	 * @param held whether the attempt still has its lease
	 * @param decided whether it is decided now
	 * @param eventId the event that matched, {@code null} if time ran out
	 * @param payload the payload of that event as JSON text
	 */
	record EventDecision(boolean held, boolean decided, @Nullable UUID eventId, @Nullable String payload) {

	}

	/**
	 * How a child stands.
	 *
	 * @param id its job
	 * @param state its state, {@code null} if it is gone
	 * @param result its result as JSON text
	 * @param errorType the class of its last exception
	 * @param errorMessage the message of that, or why it was cancelled
	 */
	record ChildEnd(UUID id, @Nullable String state, @Nullable String result, @Nullable String errorType,
			@Nullable String errorMessage) {

	}

}
