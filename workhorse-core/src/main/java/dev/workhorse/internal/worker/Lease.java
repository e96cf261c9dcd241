package dev.workhorse.internal.worker;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A claim on a job, which is what every write of an attempt must carry.
 *
 * @param jobId the job
 * @param fence the fence of the claim
 */
record Lease(UUID jobId, long fence) {

	static Lease of(ResultSet row, int index) throws SQLException {
		return new Lease(row.getObject("job_id", UUID.class), row.getLong("fence"));
	}

}
