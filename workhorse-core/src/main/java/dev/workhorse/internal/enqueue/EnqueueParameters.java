package dev.workhorse.internal.enqueue;

import java.sql.Types;
import java.util.List;
import java.util.function.Function;

import dev.workhorse.internal.job.JobParameters;
import dev.workhorse.internal.sql.SqlArrays;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Requests as the parameters of the enqueue statements.
 */
final class EnqueueParameters {

	private EnqueueParameters() {
	}

	static MapSqlParameterSource of(List<JobRequest> requests) {
		return JobParameters.of(requests.stream().map(JobRequest::definition).toList())
			.addValue("ids", SqlArrays.uuid(requests.stream().map(JobRequest::id).toList()))
			.addValue("key_hashes",
					JobParameters.bytea(requests,
							(request) -> (request.key() != null) ? request.key().digest().bytes() : null))
			.addValue("key_modes", key("text", requests, (key) -> key.mode().label()))
			.addValue("key_scopes", key("text", requests, (key) -> key.key().scope()))
			.addValue("key_previews", key("text", requests, (key) -> key.key().preview()))
			.addValue("key_lengths", key("bigint", requests, (key) -> (long) key.key().length()))
			.addValue("key_fingerprints",
					JobParameters.bytea(requests,
							(request) -> (request.content() != null) ? request.content().fingerprint() : null))
			.addValue("key_windows_ms", key("bigint", requests, KeyBinding::windowMillis))
			.addValue("delays_ms",
					key("bigint", requests, (key) -> (key.debounce() != null) ? key.debounce().delayMillis() : null))
			.addValue("max_delays_ms",
					key("bigint", requests, (key) -> (key.debounce() != null) ? key.debounce().maxDelayMillis() : null))
			.addValue("preserve",
					key("boolean", requests, (key) -> key.debounce() != null && key.debounce().preserve()))
			// one call has one trace, a group of calls has several
			.addValue("trace_context", requests.get(0).traceContext(), Types.VARCHAR)
			.addValue("trace_contexts", JobParameters.array("text", requests, JobRequest::traceContext));
	}

	private static SqlArrayValue key(String type, List<JobRequest> requests,
			Function<KeyBinding, @Nullable Object> column) {
		return JobParameters.array(type, requests,
				(request) -> (request.key() != null) ? column.apply(request.key()) : null);
	}

}
