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

			  curl -i '{url}/order-status?delay=10s' -H 'Content-Type: application/json' \
			    -d '{"orderId": "A-1001", "status": "pending"}'      (then "paid": the same job runs with it)

			  curl -i -X POST {url}/customers/Ada/sync               (twice at once: the second is dropped)

			  curl -i {url}/products -H 'Content-Type: application/json' \
			    -d '{"productId": "P-1", "name": "Green tea"}'       (a burst is indexed once)

			The same order, payment or delivery again gets the same job or event; with other content, an order or delivery
			gets a 409.

			A fulfilment reserves, charges and waits, without a thread, for the payment or 15 minutes
			(--sample.payment-timeout=20s makes it shorter), then ships or releases:

			  curl -i {url}/fulfilments -H 'Content-Type: application/json' \\
			    -d '{"orderId": "B-2001", "article": "chair", "quantity": 2}'
			  curl -i -X POST {url}/payments/B-2001/settled
			  curl {url}/fulfilments/B-2001

			  curl {url}/summary              what the handlers have done
			  curl {url}/actuator/workhorse   queues, workers and keys
			""";

	@GetMapping(path = "/", produces = MediaType.TEXT_PLAIN_VALUE)
	String home() {
		String url = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
		return TEXT.replace("{url}", url);
	}

}
