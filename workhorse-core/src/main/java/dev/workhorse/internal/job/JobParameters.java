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

	private static final List<String> COLUMNS = List.of("queue", "type", "payload", "priority", "concurrency_key",
			"run_at", "tags", "max_attempts", "retry_policy", "deadline", "timeout_ms", "explicit_options");

	private JobParameters() {
	}

	/**
	 * The parameters of one definition, named like its columns.
	 * @param job the definition
	 * @return the parameters
	 */
	public static MapSqlParameterSource of(JobDefinition job) {
		MapSqlParameterSource values = new MapSqlParameterSource();
		COLUMNS.forEach((column) -> values.addValue(column, value(job, column), sqlType(column)));
		return values;
	}

	/**
	 * The value of one column.
	 * @param job the definition
	 * @param column the name of the column
	 * @return the parameter
	 */
	public static @Nullable Object value(JobDefinition job, String column) {
		return switch (column) {
			case "queue" -> job.queue();
			case "type" -> job.type();
			case "payload" -> job.payload();
			case "priority" -> job.priority();
			case "concurrency_key" -> job.concurrencyKey();
			case "run_at" -> SqlValues.utc(job.runAt());
			case "tags" -> SqlArrays.textOrNull(job.tags());
			case "max_attempts" -> job.maxAttempts();
			case "retry_policy" -> job.retryPolicy();
			case "deadline" -> SqlValues.utc(job.deadline());
			case "timeout_ms" -> job.timeoutMillis();
			case "explicit_options" -> SqlArrays.textOrNull(job.explicit());
			default -> throw new IllegalArgumentException("No definition has a column " + column);
		};
	}

	/**
	 * The type of one column.
	 * @param column the name of the column
	 * @return the type, one of {@link Types}
	 */
	public static int sqlType(String column) {
		return switch (column) {
			case "priority", "max_attempts" -> Types.SMALLINT;
			case "run_at", "deadline" -> Types.TIMESTAMP_WITH_TIMEZONE;
			case "tags", "explicit_options" -> Types.ARRAY;
			case "timeout_ms" -> Types.BIGINT;
			default -> Types.VARCHAR;
		};
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
