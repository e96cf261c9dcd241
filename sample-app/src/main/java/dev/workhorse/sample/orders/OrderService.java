package dev.workhorse.sample.orders;

import java.time.Duration;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores an order and asks for its invoice to be captured, in one transaction: there is
 * never an order without its job, nor a job without its order.
 */
@Service
class OrderService {

	private static final Duration REMEMBERED = Duration.ofDays(30);

	private final JdbcClient jdbc;

	private final Queue queue;

	OrderService(JdbcClient jdbc, Queue queue) {
		this.jdbc = jdbc;
		this.queue = queue;
	}

	/**
	 * Place an order once, however often it is asked for.
	 * @param order the order
	 * @return the job that captures the invoice, and whether this request made it
	 */
	@Transactional
	EnqueueResult place(Order order) {
		this.jdbc.sql("""
				insert into orders (order_id, customer, amount)
				values (:orderId, :customer, :amount)
				on conflict do nothing""").paramSource(order).update();
		Idempotency once = Idempotency.key(order.orderId()).scope("orders").ttl(REMEMBERED);
		return this.queue.enqueueWithResult("invoice.capture", order, EnqueueOptions.idempotency(once));
	}

}
