package dev.workhorse.sample.fulfilment;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What was done for each order. A step may run again when the node dies right after it,
 * so it is written to be safe to repeat, as a call to a provider would be with the job's
 * id as its idempotency key.
 */
@Component
class FulfilmentSteps {

	private final JdbcClient jdbc;

	FulfilmentSteps(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	UUID add(String orderId, String step, UUID jobId) {
		this.jdbc.sql("""
				insert into fulfilment_steps (order_id, step, job_id)
				values (?, ?, ?)
				on conflict do nothing""").params(orderId, step, jobId).update();
		return jobId;
	}

	List<String> of(String orderId) {
		return this.jdbc.sql("select step from fulfilment_steps where order_id = ? order by done_at")
			.param(orderId)
			.query(String.class)
			.list();
	}

}
