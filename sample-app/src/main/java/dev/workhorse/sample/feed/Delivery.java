package dev.workhorse.sample.feed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.io.ClassPathResource;

/**
 * A delivery as a provider sends it.
 *
 * @param id its id, the same again on a redelivery and after a restart
 * @param event the kind of event
 * @param body the body
 */
record Delivery(String id, String event, ObjectNode body) {

	private static final ClassPathResource RECORDED = new ClassPathResource("deliveries/github-webhooks.ndjson");

	/**
	 * Read the deliveries that come with the application.
	 */
	static List<Delivery> recorded(JsonMapper json) {
		try {
			List<Delivery> deliveries = new ArrayList<>();
			for (String line : RECORDED.getContentAsString(StandardCharsets.UTF_8).lines().toList()) {
				JsonNode recorded = json.readTree(line);
				deliveries.add(new Delivery(idOf(deliveries.size()), recorded.get("event").stringValue(),
						recorded.get("payload").asObject()));
			}
			return List.copyOf(deliveries);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String idOf(int index) {
		return UUID.nameUUIDFromBytes(("delivery-" + index).getBytes(StandardCharsets.UTF_8)).toString();
	}

	/**
	 * The same id with another body: no honest provider does that.
	 */
	Delivery tampered() {
		return new Delivery(this.id, this.event, this.body.deepCopy().put("tampered", true));
	}

}
