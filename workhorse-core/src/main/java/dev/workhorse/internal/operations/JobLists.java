package dev.workhorse.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;

import dev.workhorse.Bounds;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.operations.JobFilter;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.JobSummary;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.operations.Page;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Lists jobs and held keys, page by page.
 */
final class JobLists {

	private static final SqlStatement LIST_JOBS = SqlStatement.load(JobLists.class, "list-jobs.sql");

	private static final SqlStatement LIST_LIVE_JOBS = SqlStatement.load(JobLists.class, "list-live-jobs.sql");

	private static final SqlStatement LIST_LIVE_KEYS = SqlStatement.load(JobLists.class, "list-live-keys.sql");

	private final JdbcTemplate jdbc;

	private final String schema;

	JobLists(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	Page<JobSummary> jobs(JobFilter filter, @Nullable String after, int most) {
		JobState state = filter.state();
		Cursor cursor = Cursor.parse(after);
		SqlStatement statement = ((state != null && !state.isFinished()) ? LIST_LIVE_JOBS : LIST_JOBS)
			.inSchema(this.schema);
		MapSqlParameterSource values = page(most).addValue("queue", filter.queue(), Types.VARCHAR)
			.addValue("type", filter.type(), Types.VARCHAR)
			.addValue("tag", filter.tag(), Types.VARCHAR)
			.addValue("state", (state != null) ? state.label() : null, Types.VARCHAR)
			.addValue("after", (cursor != null) ? cursor.id().toString() : null, Types.VARCHAR);
		return Listed.page(this.jdbc.query(statement.text(), statement.bind(values), (row, index) -> job(row)), most);
	}

	private static Listed<JobSummary> job(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		JobSummary job = new JobSummary(id, row.getString("queue"), row.getString("type"),
				JobState.of(row.getString("state")), row.getInt("priority"), row.getInt("attempt"),
				SqlValues.texts(row, "tags"), SqlValues.instant(row, "created_at"),
				SqlValues.instantOrNull(row, "run_at"), SqlValues.instantOrNull(row, "finished_at"));
		return new Listed<>(job, row.getBoolean("passes"), row.getInt("place"), new Cursor(null, id));
	}

	Page<LiveKey> liveKeys(@Nullable String scope, @Nullable String after, int most) {
		Cursor cursor = (after != null) ? Cursor.parseWithTime(after) : null;
		SqlStatement statement = LIST_LIVE_KEYS.inSchema(this.schema);
		MapSqlParameterSource values = after(page(most), cursor).addValue("scope",
				(scope != null) ? Bounds.name("scope", scope) : null, Types.VARCHAR);
		return Listed.page(this.jdbc.query(statement.text(), statement.bind(values), (row, index) -> key(row)), most);
	}

	private static Listed<LiveKey> key(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		LiveKey key = new LiveKey(row.getString("key_scope"), row.getString("key_preview"),
				KeyDigest.text(row.getBytes("key_hash")), row.getString("key_mode"), id,
				SqlValues.instantOrNull(row, "key_expires_at"));
		return new Listed<>(key, row.getBoolean("passes"), row.getInt("place"),
				new Cursor(SqlValues.instant(row, "until"), id));
	}

	static MapSqlParameterSource page(int most) {
		return new MapSqlParameterSource("most", Listed.checked(most)).addValue("looked", Listed.LOOKED);
	}

	static MapSqlParameterSource after(MapSqlParameterSource values, @Nullable Cursor cursor) {
		return values
			.addValue("after_at", (cursor != null) ? SqlValues.utc(cursor.at()) : null, Types.TIMESTAMP_WITH_TIMEZONE)
			.addValue("after_id", (cursor != null) ? cursor.id().toString() : null, Types.VARCHAR);
	}

}
