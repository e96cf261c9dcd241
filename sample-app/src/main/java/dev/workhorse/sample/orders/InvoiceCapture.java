package dev.workhorse.sample.orders;

import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Captures the invoice of an order. A job may run again when the node that ran it died,
 * so the effect is written to be safe to repeat: only the first attempt finds the order
 * uncaptured.
 */
@Component
class InvoiceCapture {

	private final JdbcClient jdbc;

	InvoiceCapture(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@JobHandler("invoice.capture")
	@Transactional
	void capture(Order order, JobContext job) {
		int captured = this.jdbc.sql("""
				update orders
				set captured_at = now()
				where order_id = ? and captured_at is null""").param(order.orderId()).update();
		if (captured == 1) {
			this.jdbc.sql("insert into captures (job_id, order_id, amount) values (?, ?, ?)")
				.params(job.jobId(), order.orderId(), order.amount())
				.update();
		}
	}

}
