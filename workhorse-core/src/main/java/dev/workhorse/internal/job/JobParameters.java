package dev.workhorse.internal.job;

import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.workhorse.internal.json.JsonText;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlValues;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Definitions as parameters of the statements that store them.
 */
public final class JobParameters {

	private JobParameters() {
	}

	/**
	 * The parameters of one definition, named like its columns.
	 * @param job the definition
	 * @return the parameters
	 */
	public static MapSqlParameterSource of(JobDefinition job) {
		return new MapSqlParameterSource().addValue("queue", job.queue(), Types.VARCHAR)
			.addValue("type", job.type(), Types.VARCHAR)
			.addValue("payload", job.payload(), Types.VARCHAR)
			.addValue("priority", job.priority(), Types.SMALLINT)
			.addValue("concurrency_key", job.concurrencyKey(), Types.VARCHAR)
			.addValue("run_at", SqlValues.utc(job.runAt()), Types.TIMESTAMP_WITH_TIMEZONE)
			.addValue("tags", SqlArrays.textOrNull(job.tags()), Types.ARRAY)
			.addValue("max_attempts", job.maxAttempts(), Types.SMALLINT)
			.addValue("retry_policy", job.retryPolicy(), Types.VARCHAR)
			.addValue("deadline", SqlValues.utc(job.deadline()), Types.TIMESTAMP_WITH_TIMEZONE)
			.addValue("timeout_ms", job.timeoutMillis(), Types.BIGINT)
			.addValue("explicit_options", SqlArrays.textOrNull(job.explicit()), Types.ARRAY);
	}

	/**
	 * The parameters of several definitions, an array for each column.
	 * @param jobs the definitions
	 * @return the parameters
	 */
	public static MapSqlParameterSource of(List<JobDefinition> jobs) {
		return new MapSqlParameterSource().addValue("queues", array("text", jobs, JobDefinition::queue))
			.addValue("types", array("text", jobs, JobDefinition::type))
			.addValue("payloads", array("text", jobs, JobDefinition::payload))
			.addValue("priorities", array("bigint", jobs, (job) -> (long) job.priority()))
			.addValue("concurrency_keys", array("text", jobs, JobDefinition::concurrencyKey))
			.addValue("run_ats", array("text", jobs, (job) -> text(job.runAt())))
			.addValue("tags", array("text", jobs, (job) -> JsonText.array(job.tags())))
			.addValue("max_attempts", array("bigint", jobs, (job) -> (long) job.maxAttempts()))
			.addValue("retry_policies", array("text", jobs, JobDefinition::retryPolicy))
			.addValue("deadlines", array("text", jobs, (job) -> text(job.deadline())))
			.addValue("timeouts_ms", array("bigint", jobs, JobDefinition::timeoutMillis))
			.addValue("explicit_options", array("text", jobs, (job) -> String.join(",", job.explicit())));
	}

	/**
	 * One column of several rows.
	 * @param <T> what stands for a row
	 * @param type the type of the column
	 * @param rows the rows
	 * @param column reads the column
	 * @return the parameter
	 */
	public static <T> SqlArrayValue array(String type, List<T> rows, Function<T, @Nullable Object> column) {
		return new SqlArrayValue(type, rows.stream().map(column).toArray());
	}

	/**
	 * One column of byte strings of several rows.
	 * @param <T> what stands for a row
	 * @param rows the rows
	 * @param column reads the column
	 * @return the parameter
	 */
	public static <T> SqlArrayValue bytea(List<T> rows, Function<T, byte @Nullable []> column) {
		List<byte @Nullable []> bytes = new ArrayList<>(rows.size());
		rows.forEach((row) -> bytes.add(column.apply(row)));
		return SqlArrays.bytea(bytes);
	}

	private static @Nullable String text(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

}
