package dev.workhorse.sample.webhooks;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a webhook tells us: the payload of a {@code github.delivery} job.
 *
 * @param event the kind of event, for example {@code issues}
 * @param action what happened, for example {@code opened}; some events have none
 * @param body the body as it came
 */
record GitHubDelivery(String event, @Nullable String action, JsonNode body) {

	static GitHubDelivery of(String event, JsonNode body) {
		return new GitHubDelivery(event, body.path("action").stringValue(null), body);
	}

	@Nullable String repository() {
		return this.body.path("repository").path("full_name").stringValue(null);
	}

}
