package dev.workhorse.sample;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Says what can be tried.
 */
@RestController
final class HomeController {

	private static final String TEXT = """
			A shop with durable jobs. Try, and try twice:

			  curl -i {url}/orders -H 'Content-Type: application/json' \\
			    -d '{"orderId": "A-1001", "customer": "Ada", "amount": 12.50}'

			  curl -i {url}/payments -H 'Content-Type: application/json' \\
			    -d '{"orderId": "A-1001", "amount": 12.50}'

			  curl -i {url}/webhooks/github -H 'Content-Type: application/json' \\
			    -H 'X-GitHub-Event: star' -H 'X-GitHub-Delivery: 5f2b8d2e-0001' \\
			    -d '{"action": "created", "repository": {"full_name": "octo-org/octo-repo"}}'

			The same request again gets the same job; the same order or delivery with other content gets a 409.

			  curl {url}/summary              what the handlers have done
			  curl {url}/actuator/workhorse   queues, workers and keys
			""";

	@GetMapping(path = "/", produces = MediaType.TEXT_PLAIN_VALUE)
	String home() {
		String url = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
		return TEXT.replace("{url}", url);
	}

}
