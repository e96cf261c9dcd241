package dev.workhorse.internal.enqueue;

import java.sql.Types;

import dev.workhorse.internal.job.JobParameters;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * One request as the parameters of {@code enqueue-job.sql}, read where they are: on the
 * way of every request, filling a map costs as much as writing the payload.
 *
 * @param request the request
 */
record RequestParameters(JobRequest request) implements SqlParameterSource {

	@Override
	public boolean hasValue(String name) {
		return true;
	}

	@Override
	public @Nullable Object getValue(String name) {
		KeyBinding key = this.request.key();
		RequestContent content = this.request.content();
		return switch (name) {
			case "id" -> this.request.id();
			case "key_hash" -> (key != null) ? key.digest().bytes() : null;
			case "key_mode" -> (key != null) ? key.mode().label() : null;
			case "key_scope" -> (key != null) ? key.key().scope() : null;
			case "key_preview" -> (key != null) ? key.key().preview() : null;
			case "key_length" -> (key != null) ? key.key().length() : null;
			case "key_fingerprint" -> (content != null) ? content.fingerprint() : null;
			case "key_window_ms" -> (key != null) ? key.windowMillis() : null;
			case "trace_context" -> this.request.traceContext();
			default -> JobParameters.value(this.request.definition(), name);
		};
	}

	@Override
	public int getSqlType(String name) {
		return switch (name) {
			case "id" -> TYPE_UNKNOWN;
			case "key_hash", "key_fingerprint" -> Types.BINARY;
			case "key_mode", "key_scope", "key_preview", "trace_context" -> Types.VARCHAR;
			case "key_length" -> Types.SMALLINT;
			case "key_window_ms" -> Types.BIGINT;
			default -> JobParameters.sqlType(name);
		};
	}

}
