package dev.workhorse.autoconfigure;

import java.util.UUID;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;
import dev.workhorse.testsupport.TestDatabase;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application that writes orders and asks for their invoices in one transaction, and
 * what is left of both.
 */
record TransactionalApplication(TestDatabase database,
		ConfigurableApplicationContext context) implements AutoCloseable {

	static TransactionalApplication start(Class<?> application) {
		TestDatabase database = TestJobStore.migratedDatabase();
		new JdbcTemplate(database.dataSource()).execute("create table orders (id text primary key)");
		return new TransactionalApplication(database,
				new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
					.properties(TestJobStore.properties(database))
					.properties("spring.flyway.enabled=false", "spring.liquibase.enabled=false",
							"spring.jpa.hibernate.ddl-auto=none", "spring.data.jpa.repositories.enabled=false",
							"workhorse.worker.enabled=false", "spring.main.banner-mode=off")
					.run());
	}

	static UUID requestInvoice(Queue queue, String order, int amount) {
		return queue.enqueue("invoice.send", amount, options(order));
	}

	static EnqueueOptions options(String order) {
		return EnqueueOptions.idempotency(Idempotency.key(order).scope("orders"));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	boolean isOrderStored(String id) {
		return count("select count(*) from orders where id = ?", id) == 1;
	}

	boolean isJobStored(UUID id) {
		return count("select count(*) from workhorse.job join workhorse.job_run on job_id = id where id = ?", id) == 1;
	}

	private long count(String sql, Object parameter) {
		Long count = new JdbcTemplate(this.database.dataSource()).queryForObject(sql, Long.class, parameter);
		return (count != null) ? count : -1;
	}

	@Override
	public void close() {
		this.context.close();
		this.database.close();
	}

}
