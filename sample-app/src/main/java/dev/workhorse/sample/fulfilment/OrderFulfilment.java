package dev.workhorse.sample.fulfilment;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.WaitTimeoutException;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Reserves, charges, waits for the payment, and ships or releases. While it waits it
 * holds no thread, and a restart of the application does not begin it again.
 */
@Component
class OrderFulfilment {

	private final FulfilmentSteps steps;

	private final Duration paymentTimeout;

	OrderFulfilment(FulfilmentSteps steps, @Value("${sample.payment-timeout}") Duration paymentTimeout) {
		this.steps = steps;
		this.paymentTimeout = paymentTimeout;
	}

	@JobHandler("order.fulfil")
	String fulfil(Purchase purchase, JobContext job) {
		String order = purchase.orderId();
		job.progress("reserving");
		job.checkpoint("reserve", UUID.class, () -> this.steps.add(order, "reserved", job.jobId()));
		job.checkpoint("charge", UUID.class, () -> this.steps.add(order, "charged", job.jobId()));
		job.progress("waiting for the payment");
		try {
			job.awaitEvent("payment", EventMatch.of("payment.settled").where("/orderId", order), PaymentSettled.class,
					this.paymentTimeout);
		}
		catch (WaitTimeoutException ex) {
			job.checkpoint("release", UUID.class, () -> this.steps.add(order, "released", job.jobId()));
			return "released";
		}
		job.checkpoint("ship", UUID.class, () -> this.steps.add(order, "shipped", job.jobId()));
		return "shipped";
	}

}
