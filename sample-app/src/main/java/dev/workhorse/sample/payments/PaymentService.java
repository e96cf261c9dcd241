package dev.workhorse.sample.payments;

import java.util.List;
import java.util.UUID;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Notes a payment and tells of it, in one transaction. Who wants to know is not known
 * here.
 */
@Service
class PaymentService {

	private final JdbcClient jdbc;

	private final Conductor conductor;

	PaymentService(JdbcClient jdbc, Conductor conductor) {
		this.jdbc = jdbc;
		this.conductor = conductor;
	}

	/**
	 * Tell what the subscribers have done for an order.
	 * @param orderId the order
	 * @return the names of what was done
	 */
	List<String> effects(String orderId) {
		return this.jdbc.sql("select what from payment_effects where order_id = ? order by what")
			.param(orderId)
			.query(String.class)
			.list();
	}

	/**
	 * Note a payment once, however often it is reported.
	 * @param payment the payment
	 * @return the event that tells of it
	 */
	@Transactional
	UUID pay(Payment payment) {
		this.jdbc.sql("""
				insert into payments (order_id, amount)
				values (:orderId, :amount)
				on conflict do nothing""").paramSource(payment).update();
		return this.conductor.emit("order.paid", payment, EmitOptions.dedupeKey(payment.orderId()));
	}

}
