package dev.workhorse.internal.enqueue;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statements behind an enqueue request.
 */
final class PostgresEnqueue {

	private static final SqlStatement ENQUEUE_JOB = SqlStatement.load(PostgresEnqueue.class, "enqueue-job.sql");

	private static final SqlStatement RELEASE_EXPIRED_KEY = SqlStatement.load(PostgresEnqueue.class,
			"release-expired-key.sql");

	private static final SqlStatement RESTART_KEY = SqlStatement.load(PostgresEnqueue.class, "restart-key.sql");

	private static final SqlStatement FIND_REQUEST = SqlStatement.load(PostgresEnqueue.class, "find-request.sql");

	private final SqlStatement enqueueJob;

	private final SqlStatement releaseExpiredKey;

	private final SqlStatement restartKey;

	private final SqlStatement findRequest;

	PostgresEnqueue(String schema) {
		this.enqueueJob = ENQUEUE_JOB.inSchema(schema);
		this.releaseExpiredKey = RELEASE_EXPIRED_KEY.inSchema(schema);
		this.restartKey = RESTART_KEY.inSchema(schema);
		this.findRequest = FIND_REQUEST.inSchema(schema);
	}

	/**
	 * Insert the job unless its key is held.
	 */
	Attempt enqueue(Session session, JobRequest request) {
		return DataAccessUtils.requiredSingleResult(session.jdbc()
			.query(this.enqueueJob.text(), this.enqueueJob.bind(parameters(request)), (row, index) -> attempt(row)));
	}

	private static Attempt attempt(ResultSet rows) throws SQLException {
		UUID accepted = rows.getObject("accepted_id", UUID.class);
		Accepted job = (accepted != null) ? new Accepted(rows.getLong("delay_ms"), rows.getBoolean("waited")) : null;
		UUID holder = rows.getObject("held_id", UUID.class);
		Held held = (holder != null) ? new Held(holder, rows.getString("held_mode"), rows.getBytes("held_fingerprint"),
				rows.getBoolean("held_live")) : null;
		return new Attempt(job, held);
	}

	void releaseExpired(Session session, UUID holder, KeyBinding key) {
		session.jdbc().update(this.releaseExpiredKey.text(), this.releaseExpiredKey.bind(keyOf(holder, key)));
	}

	void restart(Session session, UUID job, KeyBinding key) {
		session.jdbc().update(this.restartKey.text(), this.restartKey.bind(keyOf(job, key)));
	}

	/**
	 * Read the request a key is held for, or {@code null} if that job is gone.
	 */
	@Nullable HeldRequest findRequest(Session session, UUID holder) {
		return DataAccessUtils.singleResult(session.jdbc()
			.query(this.findRequest.text(), this.findRequest.bind(new MapSqlParameterSource("id", holder)),
					(row, index) -> heldRequest(row)));
	}

	private static HeldRequest heldRequest(ResultSet rows) throws SQLException {
		OffsetDateTime runAt = rows.getObject("run_at", OffsetDateTime.class);
		return new HeldRequest(rows.getString("queue"), rows.getString("type"), rows.getString("payload"),
				rows.getInt("priority"), (runAt != null) ? runAt.toInstant() : null, texts(rows.getArray("tags")),
				rows.getInt("max_attempts"), rows.getString("retry_policy"), texts(rows.getArray("explicit_options")),
				rows.getString("key_mode"), rows.getLong("key_window_ms"));
	}

	private static List<String> texts(@Nullable Array array) throws SQLException {
		return (array != null) ? Arrays.asList((String[]) array.getArray()) : List.of();
	}

	private static MapSqlParameterSource keyOf(UUID job, KeyBinding key) {
		return new MapSqlParameterSource("id", job).addValue("key_hash", key.digest().bytes(), Types.BINARY);
	}

	private static MapSqlParameterSource parameters(JobRequest request) {
		KeyBinding key = request.key();
		RequestContent content = request.content();
		return new MapSqlParameterSource("id", request.id()).addValue("queue", request.queue(), Types.VARCHAR)
			.addValue("type", request.type(), Types.VARCHAR)
			.addValue("payload", request.payload(), Types.VARCHAR)
			.addValue("priority", request.priority(), Types.SMALLINT)
			.addValue("run_at", utc(request.runAt()), Types.TIMESTAMP_WITH_TIMEZONE)
			.addValue("tags", SqlArrays.textOrNull(request.tags()), Types.ARRAY)
			.addValue("max_attempts", request.maxAttempts(), Types.SMALLINT)
			.addValue("retry_policy", request.retryPolicy(), Types.VARCHAR)
			.addValue("explicit_options", SqlArrays.textOrNull(request.explicit()), Types.ARRAY)
			.addValue("key_hash", (key != null) ? key.digest().bytes() : null, Types.BINARY)
			.addValue("key_mode", (key != null) ? key.mode().label() : null, Types.VARCHAR)
			.addValue("key_scope", (key != null) ? key.key().scope() : null, Types.VARCHAR)
			.addValue("key_preview", (key != null) ? key.key().preview() : null, Types.VARCHAR)
			.addValue("key_length", (key != null) ? key.key().length() : null, Types.SMALLINT)
			.addValue("key_fingerprint", (content != null) ? content.fingerprint() : null, Types.BINARY)
			.addValue("key_window_ms", (key != null) ? key.windowMillis() : null, Types.BIGINT);
	}

	private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
		return (instant != null) ? instant.atOffset(ZoneOffset.UTC) : null;
	}

	/**
	 * What one statement found: the accepted job, the holder of the key, or neither.
	 *
	 * @param accepted the accepted job
	 * @param held the holder of the key
	 */
	record Attempt(@Nullable Accepted accepted, @Nullable Held held) {

	}

	/**
	 * A job that was inserted.
	 *
	 * @param delayMillis how long until it is due, 0 for at once
	 * @param waited whether the insert had to wait for another transaction
	 */
	record Accepted(long delayMillis, boolean waited) {

	}

	/**
	 * The holder of a key.
	 *
	 * @param id its job
	 * @param mode how the key is bound
	 * @param fingerprint what it was accepted for
	 * @param live whether its ttl is not over
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Held(UUID id, String mode, byte[] fingerprint, boolean live) {

	}

	/**
	 * The request a key is held for, as it is stored.
	 *
	 * @param queue the queue
	 * @param type the job type
	 * @param payload the payload as JSON text
	 * @param priority the priority
	 * @param runAt the time asked for
	 * @param tags the tags, sorted
	 * @param maxAttempts the number of attempts
	 * @param retryPolicy the retry policy in its text form
	 * @param explicit the names of the options that were given
	 * @param mode the mode of the key
	 * @param windowMillis the ttl
	 */
	record HeldRequest(String queue, String type, String payload, int priority, @Nullable Instant runAt,
			List<String> tags, int maxAttempts, String retryPolicy, List<String> explicit, String mode,
			long windowMillis) {

	}

}
