package dev.workhorse.internal.worker;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The statement that makes jobs ready that are due or have nothing left to wait for.
 */
final class PostgresPromotion {

	private static final SqlStatement PROMOTE_JOBS = SqlStatement.load(PostgresPromotion.class, "promote-jobs.sql");

	private static final int MOST = 1_000;

	private final JdbcTemplate jdbc;

	private final SqlStatement promoteJobs;

	PostgresPromotion(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.promoteJobs = PROMOTE_JOBS.inSchema(schema);
	}

	/**
	 * Promote what is due.
	 * @param lookAtLeases whether to tell of leases that are over, too
	 */
	Promoted promote(boolean lookAtLeases) {
		MapSqlParameterSource values = new MapSqlParameterSource("most", MOST).addValue("look_at_leases", lookAtLeases);
		return DataAccessUtils.requiredSingleResult(
				this.jdbc.query(this.promoteJobs.text(), this.promoteJobs.bind(values), (row, index) -> promoted(row)));
	}

	private static Promoted promoted(ResultSet rows) throws SQLException {
		long nextDue = rows.getLong("next_due_ms");
		Duration wait = (!rows.wasNull()) ? Duration.ofMillis(nextDue) : null;
		return new Promoted(SqlValues.texts(rows, "queues"), (rows.getBoolean("more")) ? Duration.ZERO : wait,
				rows.getBoolean("children_to_cancel"), rows.getBoolean("events_pending"),
				rows.getBoolean("leases_expired"));
	}

	/**
	 * What was promoted.
	 *
	 * @param queues the queues that have new ready jobs
	 * @param nextDue how long until the next job is due, {@code null} if none is
	 * scheduled
	 * @param childrenToCancel whether children of cancelled jobs are to be cancelled
	 * @param eventsPending whether events wait to be dispatched
	 * @param leasesExpired whether a lease is over, if that was asked
	 */
	record Promoted(List<String> queues, @Nullable Duration nextDue, boolean childrenToCancel, boolean eventsPending,
			boolean leasesExpired) {

	}

}
