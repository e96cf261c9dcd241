package dev.workhorse.sample.updates;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.sample.updates.UpdateService.OrderStatus;
import dev.workhorse.sample.updates.UpdateService.Product;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Does the work, and writes down what was done.
 */
@Component
class UpdateHandlers {

	private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

	private final JdbcClient jdbc;

	private final Duration slowWork;

	UpdateHandlers(JdbcClient jdbc, @Value("${sample.slow-work}") Duration slowWork) {
		this.jdbc = jdbc;
		this.slowWork = slowWork;
	}

	/**
	 * Packing takes long, and is given up when the order has moved on.
	 */
	@JobHandler("order.status")
	void status(OrderStatus order, JobContext job) throws InterruptedException {
		if (order.status().equals("packing") && !work(job)) {
			return;
		}
		done("status", order.orderId(), order.status(), job.jobId());
	}

	@JobHandler("customer.sync")
	void sync(String customer, JobContext job) throws InterruptedException {
		work(job);
		done("sync", customer, "synchronised", job.jobId());
	}

	@JobHandler("search.index")
	void index(Product product, JobContext job) {
		done("index", product.productId(), product.name(), job.jobId());
	}

	private boolean work(JobContext job) throws InterruptedException {
		long start = System.nanoTime();
		while (System.nanoTime() - start < this.slowWork.toNanos()) {
			if (job.isSuperseded()) {
				return false;
			}
			TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN.toMillis());
		}
		return true;
	}

	private void done(String what, String subject, String value, UUID jobId) {
		this.jdbc.sql("insert into updates_done (what, subject, value, job_id) values (?, ?, ?, ?)")
			.params(what, subject, value, jobId)
			.update();
	}

}
