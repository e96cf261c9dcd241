package dev.workhorse.internal.enqueue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statements behind enqueue requests. Each takes any number of them.
 */
final class PostgresEnqueue {

	private static final SqlStatement ENQUEUE_JOB = SqlStatement.load(PostgresEnqueue.class, "enqueue-job.sql");

	private static final SqlStatement ENQUEUE_JOBS = SqlStatement.load(PostgresEnqueue.class, "enqueue-jobs.sql");

	private static final SqlStatement ENQUEUE_GROUP = SqlStatement.load(PostgresEnqueue.class, "enqueue-group.sql");

	private static final SqlStatement FIND_HOLDER = SqlStatement.load(PostgresEnqueue.class, "find-holder.sql");

	private static final SqlStatement RELEASE_EXPIRED_KEYS = SqlStatement.load(PostgresEnqueue.class,
			"release-expired-keys.sql");

	private static final SqlStatement RESTART_WINDOWS = SqlStatement.load(PostgresEnqueue.class, "restart-windows.sql");

	private static final SqlStatement FIND_REQUESTS = SqlStatement.load(PostgresEnqueue.class, "find-requests.sql");

	private static final SqlStatement FIND_UNSTARTED = SqlStatement.load(PostgresEnqueue.class, "find-unstarted.sql");

	/** A single request that took longer has waited; a long batch may just be long. */
	private static final long SINGLE_WAIT_MILLIS = 10;

	private static final long BATCH_WAIT_MILLIS = 1_000;

	private final SqlStatement enqueueJob;

	private final SqlStatement enqueueJobs;

	private final SqlStatement enqueueGroup;

	private final SqlStatement findHolder;

	private final SqlStatement releaseExpiredKeys;

	private final SqlStatement restartWindows;

	private final SqlStatement findRequests;

	private final SqlStatement findUnstarted;

	PostgresEnqueue(String schema) {
		this.enqueueJob = ENQUEUE_JOB.inSchema(schema);
		this.enqueueJobs = ENQUEUE_JOBS.inSchema(schema);
		this.enqueueGroup = ENQUEUE_GROUP.inSchema(schema);
		this.findHolder = FIND_HOLDER.inSchema(schema);
		this.releaseExpiredKeys = RELEASE_EXPIRED_KEYS.inSchema(schema);
		this.restartWindows = RESTART_WINDOWS.inSchema(schema);
		this.findRequests = FIND_REQUESTS.inSchema(schema);
		this.findUnstarted = FIND_UNSTARTED.inSchema(schema);
	}

	/**
	 * Insert the jobs unless their keys are held, or replace debounced ones. The answers
	 * are in the order of the requests.
	 */
	List<Attempt> enqueue(Session session, List<JobRequest> requests) {
		if (requests.size() == 1 && !requests.get(0).isDebounced()) {
			return List.of(enqueue(session, requests.get(0)));
		}
		MapSqlParameterSource values = EnqueueParameters.of(requests)
			.addValue("wait_ms", (requests.size() == 1) ? SINGLE_WAIT_MILLIS : BATCH_WAIT_MILLIS);
		return session.jdbc().query(this.enqueueJobs.text(), this.enqueueJobs.bind(values), PostgresEnqueue::attempt);
	}

	private Attempt enqueue(Session session, JobRequest request) {
		Attempt accepted = DataAccessUtils.singleResult(session.jdbc()
			.query(this.enqueueJob.text(), this.enqueueJob.bind(new RequestParameters(request)),
					(row, index) -> new Attempt(true, false, row.getLong("delay_ms"), row.getBoolean("waited"), null)));
		if (accepted != null) {
			return accepted;
		}
		Held holder = (request.key() != null) ? findHolder(session, request.key()) : null;
		return new Attempt(false, false, 0, false, holder);
	}

	/**
	 * Insert the jobs of several callers whose keys are free.
	 * @return how many milliseconds until each accepted job is due
	 */
	Map<UUID, Long> enqueueGroup(Session session, List<JobRequest> requests) {
		MapSqlParameterSource values = EnqueueParameters.of(requests).addValue("most_wait_ms", SINGLE_WAIT_MILLIS);
		Map<UUID, Long> accepted = new HashMap<>();
		RowCallbackHandler collect = (row) -> accepted.put(row.getObject("id", UUID.class), row.getLong("delay_ms"));
		session.jdbc().query(this.enqueueGroup.text(), this.enqueueGroup.bind(values), collect);
		return accepted;
	}

	/**
	 * Look at the live holder of a key, if there is one.
	 */
	@Nullable Attempt findRepeated(Session session, KeyBinding key) {
		Held holder = findHolder(session, key);
		return (holder != null && holder.live()) ? new Attempt(false, false, 0, false, holder) : null;
	}

	private @Nullable Held findHolder(Session session, KeyBinding key) {
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("key_hash", key.digest().bytes(),
				Types.BINARY);
		return DataAccessUtils.singleResult(
				session.jdbc().query(this.findHolder.text(), this.findHolder.bind(values), (row, index) -> held(row)));
	}

	private static Attempt attempt(ResultSet row, int index) throws SQLException {
		boolean accepted = row.getObject("accepted_id") != null;
		boolean replaced = row.getObject("replaced_id") != null;
		Held held = (row.getObject("held_id") != null) ? held(row) : null;
		return new Attempt(accepted, replaced, row.getLong("delay_ms"), accepted && row.getBoolean("waited"), held);
	}

	private static Held held(ResultSet row) throws SQLException {
		return new Held(row.getObject("held_id", UUID.class), row.getString("held_mode"),
				row.getBytes("held_fingerprint"), row.getBoolean("held_live"), (Boolean) row.getObject("window_open"));
	}

	/**
	 * Take keys from holders whose ttl or window is over.
	 */
	void releaseExpired(Session session, Map<UUID, KeyDigest> holders) {
		List<byte @Nullable []> hashes = new ArrayList<>();
		holders.values().forEach((digest) -> hashes.add(digest.bytes()));
		MapSqlParameterSource values = ids(holders.keySet()).addValue("key_hashes", SqlArrays.bytea(hashes));
		session.jdbc().update(this.releaseExpiredKeys.text(), this.releaseExpiredKeys.bind(values));
	}

	/**
	 * Count ttls and windows from now.
	 */
	void restart(Session session, Collection<UUID> jobs) {
		session.jdbc().update(this.restartWindows.text(), this.restartWindows.bind(ids(jobs)));
	}

	/**
	 * Read the requests that keys are held for, by the holder's job.
	 */
	Map<UUID, HeldRequest> findRequests(Session session, Collection<UUID> holders) {
		Map<UUID, HeldRequest> found = new HashMap<>();
		RowCallbackHandler collect = (row) -> found.put(row.getObject("id", UUID.class), heldRequest(row));
		session.jdbc().query(this.findRequests.text(), this.findRequests.bind(ids(holders)), collect);
		return found;
	}

	/**
	 * Tell which jobs wait for their first attempt.
	 */
	Set<UUID> findUnstarted(Session session, Collection<UUID> jobs) {
		return new HashSet<>(session.jdbc()
			.query(this.findUnstarted.text(), this.findUnstarted.bind(ids(jobs)),
					(row, index) -> row.getObject("job_id", UUID.class)));
	}

	private static MapSqlParameterSource ids(Collection<UUID> ids) {
		return new MapSqlParameterSource("ids", SqlArrays.uuid(ids));
	}

	private static HeldRequest heldRequest(ResultSet row) throws SQLException {
		long timeout = row.getLong("timeout_ms");
		Long timeoutMillis = (row.wasNull()) ? null : (Long) timeout;
		JobDefinition definition = new JobDefinition(row.getString("queue"), row.getString("type"),
				row.getString("payload"), row.getInt("priority"), row.getString("concurrency_key"),
				SqlValues.instantOrNull(row, "run_at"), SqlValues.texts(row, "tags"), row.getInt("max_attempts"),
				row.getString("retry_policy"), SqlValues.instantOrNull(row, "deadline"), timeoutMillis,
				SqlValues.texts(row, "explicit_options"));
		return new HeldRequest(definition, row.getString("key_mode"), row.getLong("key_window_ms"));
	}

	/**
	 * What one statement did for a request, or found in its way. Nothing of all when
	 * another transaction won the key after the statement had begun.
	 *
	 * @param accepted whether the job was inserted
	 * @param replaced whether the request took the place of a waiting one
	 * @param delayMillis how long until the job is due, 0 for at once
	 * @param waited whether the insert had to wait for another transaction
	 * @param held the holder of the key
	 */
	record Attempt(boolean accepted, boolean replaced, long delayMillis, boolean waited, @Nullable Held held) {

	}

	/**
	 * The holder of a key.
	 *
	 * @param id its job
	 * @param mode how the key is bound
	 * @param fingerprint what it was accepted for
	 * @param live whether its ttl or window is not over
	 * @param windowOpen for a debounced request to a debounced key, the same as judged
	 * under the lock; {@code null} otherwise
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Held(UUID id, String mode, byte[] fingerprint, boolean live, @Nullable Boolean windowOpen) {

	}

	/**
	 * The request a key is held for, as it is stored.
	 *
	 * @param definition what is to be run, and how
	 * @param mode the mode of the key
	 * @param windowMillis the ttl or window
	 */
	record HeldRequest(JobDefinition definition, String mode, long windowMillis) {

	}

}
