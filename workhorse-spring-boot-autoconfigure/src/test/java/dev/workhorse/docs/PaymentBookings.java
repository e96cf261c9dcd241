package dev.workhorse.docs;

import java.math.BigDecimal;

import dev.workhorse.Queue;
import dev.workhorse.handler.JobHandler;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

// tag::transactional[]
@Component
class PaymentBookings {

	private final JdbcTemplate jdbc;

	private final Queue queue;

	PaymentBookings(JdbcTemplate jdbc, Queue queue) {
		this.jdbc = jdbc;
		this.queue = queue;
	}

	@JobHandler(value = "payment.book", transactional = true)
	void book(Payment payment) {
		this.jdbc.update("update account set balance = balance + ? where id = ?", payment.amount(), payment.account());
		this.queue.enqueue("invoice.mail", new InvoiceHandlers.Invoice(payment.account(), payment.amount()));
	}

	record Payment(String account, BigDecimal amount) {
	}

}
// end::transactional[]
