package dev.workhorse.internal.enqueue;

import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.workhorse.internal.enqueue.JobRequest.JobDefinition;
import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlValues;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Requests as the parameters of the enqueue statements.
 */
final class EnqueueParameters {

	private EnqueueParameters() {
	}

	static MapSqlParameterSource of(JobRequest request) {
		JobDefinition job = request.definition();
		KeyBinding key = request.key();
		RequestContent content = request.content();
		return new MapSqlParameterSource("id", request.id()).addValue("queue", job.queue(), Types.VARCHAR)
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
			.addValue("explicit_options", SqlArrays.textOrNull(job.explicit()), Types.ARRAY)
			.addValue("key_hash", (key != null) ? key.digest().bytes() : null, Types.BINARY)
			.addValue("key_mode", (key != null) ? key.mode().label() : null, Types.VARCHAR)
			.addValue("key_scope", (key != null) ? key.key().scope() : null, Types.VARCHAR)
			.addValue("key_preview", (key != null) ? key.key().preview() : null, Types.VARCHAR)
			.addValue("key_length", (key != null) ? key.key().length() : null, Types.SMALLINT)
			.addValue("key_fingerprint", (content != null) ? content.fingerprint() : null, Types.BINARY)
			.addValue("key_window_ms", (key != null) ? key.windowMillis() : null, Types.BIGINT)
			.addValue("trace_context", request.traceContext(), Types.VARCHAR);
	}

	static MapSqlParameterSource of(List<JobRequest> requests) {
		Columns columns = new Columns(requests);
		return columns.values.addValue("ids", SqlArrays.uuid(requests.stream().map(JobRequest::id).toList()))
			.addValue("queues", columns.text((request) -> request.definition().queue()))
			.addValue("types", columns.text((request) -> request.definition().type()))
			.addValue("payloads", columns.text((request) -> request.definition().payload()))
			.addValue("priorities", columns.bigint((request) -> (long) request.definition().priority()))
			.addValue("concurrency_keys", columns.text((request) -> request.definition().concurrencyKey()))
			.addValue("run_ats", columns.text((request) -> text(request.definition().runAt())))
			.addValue("tags", columns.text((request) -> json(request.definition().tags())))
			.addValue("max_attempts", columns.bigint((request) -> (long) request.definition().maxAttempts()))
			.addValue("retry_policies", columns.text((request) -> request.definition().retryPolicy()))
			.addValue("deadlines", columns.text((request) -> text(request.definition().deadline())))
			.addValue("timeouts_ms", columns.bigint((request) -> request.definition().timeoutMillis()))
			.addValue("explicit_options", columns.text((request) -> String.join(",", request.definition().explicit())))
			.addValue("key_hashes",
					columns.bytea((request) -> (request.key() != null) ? request.key().digest().bytes() : null))
			.addValue("key_modes", columns.key("text", (key) -> key.mode().label()))
			.addValue("key_scopes", columns.key("text", (key) -> key.key().scope()))
			.addValue("key_previews", columns.key("text", (key) -> key.key().preview()))
			.addValue("key_lengths", columns.key("bigint", (key) -> (long) key.key().length()))
			.addValue("key_fingerprints",
					columns.bytea((request) -> (request.content() != null) ? request.content().fingerprint() : null))
			.addValue("key_windows_ms", columns.key("bigint", KeyBinding::windowMillis))
			.addValue("delays_ms",
					columns.key("bigint", (key) -> (key.debounce() != null) ? key.debounce().delayMillis() : null))
			.addValue("max_delays_ms",
					columns.key("bigint", (key) -> (key.debounce() != null) ? key.debounce().maxDelayMillis() : null))
			.addValue("preserve", columns.key("boolean", (key) -> key.debounce() != null && key.debounce().preserve()))
			// one call has one trace
			.addValue("trace_context", requests.get(0).traceContext(), Types.VARCHAR);
	}

	private static @Nullable String text(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

	private static String json(List<String> values) {
		ArrayNode array = JsonNodeFactory.instance.arrayNode();
		values.forEach(array::add);
		return array.toString();
	}

	/**
	 * The requests of a batch, column by column.
	 */
	private static final class Columns {

		private final List<JobRequest> requests;

		private final MapSqlParameterSource values = new MapSqlParameterSource();

		private Columns(List<JobRequest> requests) {
			this.requests = requests;
		}

		private SqlArrayValue text(Function<JobRequest, @Nullable Object> column) {
			return array("text", column);
		}

		private SqlArrayValue bigint(Function<JobRequest, @Nullable Object> column) {
			return array("bigint", column);
		}

		private SqlArrayValue bytea(Function<JobRequest, byte @Nullable []> column) {
			List<byte @Nullable []> bytes = new ArrayList<>(this.requests.size());
			this.requests.forEach((request) -> bytes.add(column.apply(request)));
			return SqlArrays.bytea(bytes);
		}

		private SqlArrayValue key(String type, Function<KeyBinding, @Nullable Object> column) {
			return array(type, (request) -> (request.key() != null) ? column.apply(request.key()) : null);
		}

		private SqlArrayValue array(String type, Function<JobRequest, @Nullable Object> column) {
			return new SqlArrayValue(type, this.requests.stream().map(column).toArray());
		}

	}

}
