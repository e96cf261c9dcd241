package dev.workhorse.internal.worker;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A place in the order in which the jobs of a queue are claimed.
 *
 * @param rank the priority, negated
 * @param runAt when the job was due, as PostgreSQL writes it, since no digit may be lost
 * @param jobId the job
 */
record ClaimPlace(int rank, String runAt, UUID jobId) {

	/** Before every job. */
	static final ClaimPlace START = new ClaimPlace(Short.MIN_VALUE, "-infinity", new UUID(0, 0));

	static ClaimPlace of(ResultSet row) throws SQLException {
		return new ClaimPlace(row.getInt("rank"), row.getString("run_at"), row.getObject("job_id", UUID.class));
	}

}
