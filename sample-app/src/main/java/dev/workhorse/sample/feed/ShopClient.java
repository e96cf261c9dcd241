package dev.workhorse.sample.feed;

import java.util.Map;
import java.util.Objects;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/**
 * Speaks HTTP to the application, as a provider and as a customer.
 */
final class ShopClient {

	private final RestClient http;

	private final JsonMapper json;

	ShopClient(String url, JsonMapper json) {
		this.http = RestClient.create(url);
		this.json = json;
	}

	Answer deliver(Delivery delivery) {
		return answer(this.http.post()
			.uri("/webhooks/github")
			.header("X-GitHub-Delivery", delivery.id())
			.header("X-GitHub-Event", delivery.event())
			.contentType(MediaType.APPLICATION_JSON)
			.body(delivery.body()));
	}

	Answer order(String orderId, String amount) {
		return answer(this.http.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("orderId", orderId, "customer", "Ada", "amount", amount)));
	}

	Answer status(String orderId, String status, String delay) {
		return answer(this.http.post()
			.uri("/order-status?delay={delay}", delay)
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("orderId", orderId, "status", status)));
	}

	Answer sync(String customer) {
		return answer(this.http.post().uri("/customers/{customer}/sync", customer));
	}

	Answer product(String productId, String name) {
		return answer(this.http.post()
			.uri("/products")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("productId", productId, "name", name)));
	}

	private Answer answer(RestClient.RequestHeadersSpec<?> request) {
		return Objects.requireNonNull(request.exchange((sent, response) -> {
			JsonNode body = this.json.readTree(response.getBody());
			return Answer.of(response.getStatusCode().value(), body);
		}));
	}

}
