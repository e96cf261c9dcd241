package dev.workhorse.internal.worker;

import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.workhorse.handler.EventMetadata;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.internal.worker.ClaimedJob.Limits;
import dev.workhorse.internal.worker.ClaimedJob.Origin;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statements that take, keep and take back leases.
 */
final class PostgresLeases {

	private static final SqlStatement CLAIM_JOBS = SqlStatement.load(PostgresLeases.class, "claim-jobs.sql");

	private static final SqlStatement RENEW_LEASES = SqlStatement.load(PostgresLeases.class, "renew-leases.sql");

	private static final SqlStatement FIND_LIVE_FENCES = SqlStatement.load(PostgresLeases.class,
			"find-live-fences.sql");

	private static final SqlStatement FIND_SUPERSEDED = SqlStatement.load(PostgresLeases.class, "find-superseded.sql");

	private static final SqlStatement FIND_EXPIRED_LEASES = SqlStatement.load(PostgresLeases.class,
			"find-expired-leases.sql");

	private static final SqlStatement RECOVER_LEASES = SqlStatement.load(PostgresLeases.class, "recover-leases.sql");

	private static final SqlStatement BEAT_WORKER = SqlStatement.load(PostgresLeases.class, "beat-worker.sql");

	private static final SqlStatement REMOVE_WORKER = SqlStatement.load(PostgresLeases.class, "remove-worker.sql");

	private static final JsonMapper JSON = new JsonMapper();

	private final JdbcTemplate jdbc;

	private final SqlStatement claimJobs;

	private final SqlStatement renewLeases;

	private final SqlStatement findLiveFences;

	private final SqlStatement findSuperseded;

	private final SqlStatement findExpiredLeases;

	private final SqlStatement recoverLeases;

	private final SqlStatement beatWorker;

	private final SqlStatement removeWorker;

	private final Duration lease;

	PostgresLeases(JdbcTemplate jdbc, String schema, Duration lease) {
		this.jdbc = jdbc;
		this.claimJobs = CLAIM_JOBS.inSchema(schema);
		this.renewLeases = RENEW_LEASES.inSchema(schema);
		this.findLiveFences = FIND_LIVE_FENCES.inSchema(schema);
		this.findSuperseded = FIND_SUPERSEDED.inSchema(schema);
		this.findExpiredLeases = FIND_EXPIRED_LEASES.inSchema(schema);
		this.recoverLeases = RECOVER_LEASES.inSchema(schema);
		this.beatWorker = BEAT_WORKER.inSchema(schema);
		this.removeWorker = REMOVE_WORKER.inSchema(schema);
		this.lease = lease;
	}

	List<ClaimedJob> claim(UUID worker, String queue, Collection<String> types, int most) {
		return claim(worker, queue, types, most, ClaimPlace.START).jobs();
	}

	/**
	 * Claim jobs that come behind a place.
	 */
	Claim claim(UUID worker, String queue, Collection<String> types, int most, ClaimPlace after) {
		MapSqlParameterSource values = withLease().addValue("queue", queue, Types.VARCHAR)
			.addValue("types", SqlArrays.text(types), Types.ARRAY)
			.addValue("worker", worker)
			.addValue("most", most)
			.addValue("after_rank", after.rank())
			.addValue("after_run_at", after.runAt(), Types.VARCHAR)
			.addValue("after_id", after.jobId());
		ResultSetExtractor<Claim> read = (rows) -> read(rows, queue, after);
		return Objects.requireNonNull(this.jdbc.query(this.claimJobs.text(), this.claimJobs.bind(values), read));
	}

	private static Claim read(ResultSet rows, String queue, ClaimPlace after) throws SQLException {
		List<ClaimedJob> jobs = new ArrayList<>();
		ClaimPlace last = after;
		while (rows.next()) {
			jobs.add(job(rows, queue));
			last = ClaimPlace.of(rows);
		}
		return new Claim(jobs, last);
	}

	static ClaimedJob job(ResultSet row, String queue) throws SQLException {
		return new ClaimedJob(Lease.of(row, 0), queue, row.getString("type"), row.getInt("attempt"),
				row.getString("payload"), row.getInt("max_attempts"), row.getString("retry_policy"),
				SqlValues.texts(row, "explicit_options"), limits(row), origin(row));
	}

	private static Limits limits(ResultSet row) throws SQLException {
		return new Limits(millis(row, "timeout_ms"), SqlValues.instantOrNull(row, "deadline"),
				millis(row, "deadline_ms"));
	}

	private static Origin origin(ResultSet row) throws SQLException {
		return new Origin(row.getBoolean("suspended"), row.getObject("parent_id", UUID.class), row.getInt("depth"),
				event(row.getString("event")), row.getString("trace_context"),
				Duration.ofMillis(Math.max(0, row.getLong("overdue_ms"))));
	}

	private static @Nullable EventMetadata event(@Nullable String json) {
		if (json == null) {
			return null;
		}
		try {
			JsonNode event = JSON.readTree(json);
			return new EventMetadata(UUID.fromString(event.required("id").asText()), event.required("name").asText(),
					Instant.parse(event.required("emittedAt").asText()));
		}
		catch (JsonProcessingException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
		long millis = row.getLong(column);
		return (row.wasNull()) ? null : Duration.ofMillis(millis);
	}

	/**
	 * Renew leases and tell which were renewed, and which of these are to be cancelled.
	 */
	Map<Lease, Renewal> renew(Collection<Attempt> attempts) {
		MapSqlParameterSource values = withLease()
			.addValue("job_ids", SqlArrays.uuid(attempts.stream().map(Attempt::jobId).toList()), Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(attempts.stream().map(Attempt::fence).toList()), Types.ARRAY);
		Map<Lease, Renewal> renewed = new HashMap<>();
		RowCallbackHandler collect = (row) -> renewed.put(Lease.of(row, 0),
				new Renewal(row.getBoolean("cancelled"), row.getBoolean("interrupt")));
		this.jdbc.query(this.renewLeases.text(), this.renewLeases.bind(values), collect);
		return renewed;
	}

	/**
	 * Tell which of the attempts still have their lease.
	 */
	Set<Attempt> stillHeld(Collection<Attempt> attempts) {
		MapSqlParameterSource values = new MapSqlParameterSource("job_ids",
				SqlArrays.uuid(attempts.stream().map(Attempt::jobId).toList()));
		Set<Lease> live = new HashSet<>(
				this.jdbc.query(this.findLiveFences.text(), this.findLiveFences.bind(values), Lease::of));
		Set<Attempt> held = new HashSet<>();
		for (Attempt attempt : attempts) {
			if (live.contains(attempt.lease())) {
				held.add(attempt);
			}
		}
		return held;
	}

	/**
	 * Tell whether another execution has taken the place of a job.
	 */
	boolean isSuperseded(UUID job) {
		return !this.jdbc
			.query(this.findSuperseded.text(), this.findSuperseded.bind(new MapSqlParameterSource("job_id", job)),
					(row, index) -> row.getObject("job_id", UUID.class))
			.isEmpty();
	}

	List<ExpiredLease> findExpired() {
		return this.jdbc.query(this.findExpiredLeases.text(),
				(row, index) -> new ExpiredLease(Lease.of(row, index), row.getBoolean("worker_alive")));
	}

	/**
	 * Make jobs ready again and name the queues they are in.
	 */
	List<String> recover(List<Lease> leases) {
		MapSqlParameterSource values = new MapSqlParameterSource()
			.addValue("job_ids", SqlArrays.uuid(leases.stream().map(Lease::jobId).toList()), Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(leases.stream().map(Lease::fence).toList()), Types.ARRAY);
		return this.jdbc.query(this.recoverLeases.text(), this.recoverLeases.bind(values),
				(row, index) -> row.getString("queue"));
	}

	void beat(UUID worker, WorkerSettings settings, Collection<String> types) {
		MapSqlParameterSource values = withLease().addValue("id", worker)
			.addValue("name", settings.name(), Types.VARCHAR)
			.addValue("queues", SqlArrays.text(settings.queues().keySet()), Types.ARRAY)
			.addValue("types", SqlArrays.text(types), Types.ARRAY)
			.addValue("slots", settings.slots());
		this.jdbc.update(this.beatWorker.text(), this.beatWorker.bind(values));
	}

	void removeWorker(UUID worker) {
		this.jdbc.update(this.removeWorker.text(), this.removeWorker.bind(new MapSqlParameterSource("id", worker)));
	}

	long leaseMillis() {
		return this.lease.toMillis();
	}

	private MapSqlParameterSource withLease() {
		return new MapSqlParameterSource("lease_ms", leaseMillis());
	}

	/**
	 * What was claimed.
	 *
	 * @param jobs the jobs, in their order
	 * @param last where the last of them is
	 */
	record Claim(List<ClaimedJob> jobs, ClaimPlace last) {

	}

	/**
	 * A lease that is over.
	 *
	 * @param lease the lease
	 * @param workerAlive whether the node that holds it still shows signs of life
	 */
	record ExpiredLease(Lease lease, boolean workerAlive) {

	}

}
