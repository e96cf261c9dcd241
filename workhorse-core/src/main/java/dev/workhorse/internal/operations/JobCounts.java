package dev.workhorse.internal.operations;

import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.JobStatistics;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.QueueCount;
import dev.workhorse.operations.UnhandledType;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Counts jobs and keys. Statistics are taken by whichever node first finds the stored
 * ones too old, and read by all others.
 */
final class JobCounts {

	private static final SqlStatement COUNT_LIVE_JOBS = SqlStatement.load(JobCounts.class, "count-live-jobs.sql");

	private static final SqlStatement COUNT_LIVE_KEYS = SqlStatement.load(JobCounts.class, "count-live-keys.sql");

	private static final SqlStatement FIND_OLDEST_READY = SqlStatement.load(JobCounts.class, "find-oldest-ready.sql");

	private static final SqlStatement FIND_STATISTICS = SqlStatement.load(JobCounts.class, "find-statistics.sql");

	private static final SqlStatement STORE_STATISTICS = SqlStatement.load(JobCounts.class, "store-statistics.sql");

	private static final JobStatistics NONE = new JobStatistics(Instant.EPOCH, List.of(), Map.of(), Map.of(),
			List.of());

	private static final ObjectMapper mapper = JsonMapper.builder().build();

	private final JdbcTemplate jdbc;

	private final CallerTransaction transaction;

	private final String schema;

	private final Function<JdbcTemplate, List<UnhandledType>> unhandled;

	JobCounts(JdbcTemplate jdbc, CallerTransaction transaction, String schema,
			Function<JdbcTemplate, List<UnhandledType>> unhandled) {
		this.jdbc = jdbc;
		this.transaction = transaction;
		this.schema = schema;
		this.unhandled = unhandled;
	}

	List<QueueCount> live() {
		return live(this.jdbc);
	}

	private List<QueueCount> live(JdbcTemplate jdbc) {
		SqlStatement statement = COUNT_LIVE_JOBS.inSchema(this.schema);
		return jdbc.query(statement.text(), statement.bind(limit()),
				(row, index) -> new QueueCount(row.getString("queue"), JobState.of(row.getString("state")),
						row.getLong("jobs")));
	}

	JobStatistics statistics(Duration maxAge) {
		Stored stored = find(this.jdbc, maxAge);
		if (stored == null || !stored.fresh()) {
			Stored taken = this.transaction.write("take statistics", (session) -> take(session, maxAge));
			stored = (taken != null) ? taken : stored;
		}
		return (stored != null) ? stored.statistics() : NONE;
	}

	private @Nullable Stored find(JdbcTemplate jdbc, Duration maxAge) {
		SqlStatement statement = FIND_STATISTICS.inSchema(this.schema);
		return DataAccessUtils.singleResult(jdbc.query(statement.text(),
				statement.bind(new MapSqlParameterSource("max_age_ms", maxAge.toMillis())), JobCounts::stored));
	}

	/**
	 * Count unless another node is at it, or has just done so.
	 */
	private @Nullable Stored take(Session session, Duration maxAge) {
		session.begin();
		Boolean alone = session.jdbc()
			.queryForObject("select pg_try_advisory_xact_lock(hashtextextended(?, 0))", Boolean.class,
					"workhorse statistics of " + this.schema);
		Stored stored = find(session.jdbc(), maxAge);
		if (!Boolean.TRUE.equals(alone) || (stored != null && stored.fresh())) {
			return stored;
		}
		SqlStatement statement = STORE_STATISTICS.inSchema(this.schema);
		return DataAccessUtils.requiredSingleResult(session.jdbc()
			.query(statement.text(),
					statement.bind(new MapSqlParameterSource("content", count(session.jdbc()).toString())),
					JobCounts::stored));
	}

	private ObjectNode count(JdbcTemplate jdbc) {
		ObjectNode content = mapper.createObjectNode();
		ArrayNode jobs = content.putArray("jobs");
		live(jdbc).forEach((count) -> jobs.addObject()
			.put("queue", count.queue())
			.put("state", count.state().label())
			.put("jobs", count.jobs()));
		ArrayNode unhandled = content.putArray("unhandled");
		this.unhandled.apply(jdbc)
			.forEach((type) -> unhandled.addObject()
				.put("queue", type.queue())
				.put("type", type.type())
				.put("jobs", type.jobs()));
		ObjectNode oldest = content.putObject("oldestReady");
		SqlStatement findOldest = FIND_OLDEST_READY.inSchema(this.schema);
		RowCallbackHandler collectOldest = (row) -> oldest.put(row.getString("queue"),
				SqlValues.instant(row, "ready_since").toString());
		jdbc.query(findOldest.text(), collectOldest);
		ObjectNode keys = content.putObject("keys");
		SqlStatement countKeys = COUNT_LIVE_KEYS.inSchema(this.schema);
		RowCallbackHandler collectKeys = (row) -> keys.put(row.getString("key_mode"), row.getLong("keys"));
		jdbc.query(countKeys.text(), countKeys.bind(limit()), collectKeys);
		return content;
	}

	private static MapSqlParameterSource limit() {
		return new MapSqlParameterSource("most", Jobs.COUNT_LIMIT);
	}

	private static Stored stored(ResultSet row, int index) throws SQLException {
		return new Stored(statistics(SqlValues.instant(row, "taken_at"), row.getString("content")),
				row.getBoolean("fresh"));
	}

	private static JobStatistics statistics(Instant takenAt, String json) {
		JsonNode content = read(json);
		List<QueueCount> jobs = new ArrayList<>();
		content.path("jobs")
			.forEach((count) -> jobs.add(new QueueCount(count.path("queue").asText(),
					JobState.of(count.path("state").asText()), count.path("jobs").asLong())));
		List<UnhandledType> unhandled = new ArrayList<>();
		content.path("unhandled")
			.forEach((type) -> unhandled.add(new UnhandledType(type.path("queue").asText(), type.path("type").asText(),
					type.path("jobs").asLong())));
		Map<String, Instant> oldest = new TreeMap<>();
		content.path("oldestReady")
			.properties()
			.forEach((entry) -> oldest.put(entry.getKey(), Instant.parse(entry.getValue().asText())));
		Map<String, Long> keys = new TreeMap<>();
		content.path("keys").properties().forEach((entry) -> keys.put(entry.getKey(), entry.getValue().asLong()));
		return new JobStatistics(takenAt, jobs, oldest, keys, unhandled);
	}

	private static JsonNode read(String json) {
		try {
			return mapper.readTree(json);
		}
		catch (JsonProcessingException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Statistics as they are stored.
	 *
	 * @param statistics the statistics
	 * @param fresh whether they are young enough
	 */
	private record Stored(JobStatistics statistics, boolean fresh) {

	}

}
