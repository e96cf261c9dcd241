package dev.workhorse.sample.webhooks;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The deliveries that were handled. There is a row for each run, so counting the rows of
 * a job tells how often it ran.
 */
@Component
public final class HandledDeliveries {

	private final JdbcClient jdbc;

	HandledDeliveries(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	void add(UUID jobId, GitHubDelivery delivery) {
		this.jdbc.sql("insert into handled_deliveries (job_id, event, repository) values (?, ?, ?)")
			.param(jobId)
			.param(delivery.event())
			.param(delivery.repository())
			.update();
	}

	/**
	 * Count how often each delivery was handled.
	 * @return the deliveries
	 */
	public List<Handled> all() {
		return this.jdbc.sql("""
				select job_id, event, repository, count(*) as runs
				from handled_deliveries
				group by job_id, event, repository
				order by min(handled_at)""").query(Handled.class).list();
	}

	/**
	 * A delivery that was handled.
	 *
	 * @param jobId the job that handled it
	 * @param event the kind of event
	 * @param repository the repository, if the event belongs to one
	 * @param runs how often it was handled
	 */
	public record Handled(UUID jobId, String event, @Nullable String repository, long runs) {

	}

}
