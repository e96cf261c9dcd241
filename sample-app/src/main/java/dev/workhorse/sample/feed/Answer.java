package dev.workhorse.sample.feed;

import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the application answered.
 *
 * @param status the HTTP status
 * @param outcome the outcome the application tells, or {@code conflict}, otherwise
 * {@code error}
 * @param jobId the job that stands for the request, if there is one
 */
record Answer(int status, String outcome, @Nullable UUID jobId) {

	static Answer of(int status, JsonNode body) {
		return switch (status) {
			case 202 -> new Answer(status, body.get("outcome").stringValue(), job(body.path("jobId")));
			case 409 -> new Answer(status, "conflict", UUID.fromString(body.get("existingJobId").stringValue()));
			default -> new Answer(status, "error", null);
		};
	}

	private static @Nullable UUID job(JsonNode id) {
		return (id.isString()) ? UUID.fromString(id.stringValue()) : null;
	}

	boolean is(String outcome) {
		return this.outcome.equals(outcome);
	}

}
