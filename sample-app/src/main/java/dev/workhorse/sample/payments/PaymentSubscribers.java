package dev.workhorse.sample.payments;

import java.util.UUID;

import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What happens once an order is paid. Each of these is a job of its own: it is retried by
 * itself, and neither waits for the other.
 */
@Component
class PaymentSubscribers {

	private final JdbcClient jdbc;

	PaymentSubscribers(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@JobHandler(value = "receipt.send", event = "order.paid", transactional = true)
	void sendReceipt(Payment payment, EventMetadata event, JobContext job) {
		done("receipt", payment.orderId(), event, job.jobId());
	}

	@JobHandler(value = "stock.reserve", event = "order.paid", payloadFields = "orderId", transactional = true)
	void reserveStock(PaidOrder order, EventMetadata event, JobContext job) {
		done("stock", order.orderId(), event, job.jobId());
	}

	private void done(String what, String orderId, EventMetadata event, UUID jobId) {
		this.jdbc.sql("insert into payment_effects (what, order_id, event_id, job_id) values (?, ?, ?, ?)")
			.params(what, orderId, event.id(), jobId)
			.update();
	}

	/**
	 * What reserving needs to know of a payment.
	 *
	 * @param orderId the order
	 */
	record PaidOrder(String orderId) {

	}

}
