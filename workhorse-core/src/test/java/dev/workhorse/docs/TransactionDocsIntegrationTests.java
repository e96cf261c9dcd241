package dev.workhorse.docs;

import java.time.Duration;
import java.util.UUID;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueKeyBusyException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;
import dev.workhorse.ReadOnlyTransactionException;
import dev.workhorse.runtime.Workhorse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TransactionDocsIntegrationTests {

	private static CoreDatabase database;

	private static AnnotationConfigApplicationContext context;

	private final JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);

	private final Queue queue = context.getBean(Queue.class);

	private final TransactionTemplate transaction = new TransactionTemplate(
			context.getBean(PlatformTransactionManager.class));

	@BeforeAll
	static void start() {
		database = CoreDatabase.create();
		new JdbcTemplate(database.dataSource()).execute("create table orders (id text primary key, state text)");
		context = new AnnotationConfigApplicationContext();
		context.getBeanFactory().registerSingleton("dataSource", database.dataSource());
		context.register(Application.class, Orders.class, Imports.class);
		context.refresh();
	}

	@AfterAll
	static void stop() {
		context.close();
		database.close();
	}

	@Test
	void orderAndJobCommitTogether() {
		UUID job = context.getBean(Orders.class).place("A-1");
		assertThat(orders("A-1")).isOne();
		assertThat(jobs(job)).isOne();
	}

	@Test
	void rollbackLeavesNeitherAndTheKeyIsFree() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> failAfterPlacing("A-2")));
		assertThat(orders("A-2")).isZero();
		assertThat(context.getBean(Orders.class).place("A-2")).isNotNull();
		assertThat(orders("A-2")).isOne();
	}

	private void failAfterPlacing(String id) {
		context.getBean(Orders.class).place(id);
		throw new IllegalStateException("expected");
	}

	@Test
	void caughtConflictLeavesTheTransactionUsable() {
		Imports imports = context.getBean(Imports.class);
		assertThat(imports.read("file-1", 10)).isEqualTo("accepted");
		assertThat(imports.read("file-1", 10)).isEqualTo("replayed");
		assertThat(imports.read("file-1", 11)).isEqualTo("conflict");
		assertThat(orders("file-1/11")).isOne();
	}

	@Test
	void rollbackToASavepointForgetsTheJob() {
		UUID job = this.transaction.execute((status) -> {
			Object savepoint = status.createSavepoint();
			UUID id = this.queue.enqueue("import", "x", EnqueueOptions.idempotencyKey("savepoint"));
			status.rollbackToSavepoint(savepoint);
			return id;
		});
		assertThat(jobs(job)).isZero();
	}

	@Test
	void readOnlyTransactionIsRefused() {
		this.transaction.setReadOnly(true);
		assertThatExceptionOfType(ReadOnlyTransactionException.class).isThrownBy(
				() -> this.transaction.executeWithoutResult((status) -> this.queue.enqueue("invoice.send", "A-3")));
	}

	@Test
	void boundedWaitLeavesTheTransactionUsable() {
		// tag::key-wait[]
		Workhorse workhorse = Workhorse.builder(database.dataSource()).keyWait(Duration.ofMillis(200)).build();
		// end::key-wait[]
		EnqueueOptions once = EnqueueOptions.idempotencyKey("busy");
		this.transaction.executeWithoutResult((status) -> {
			this.queue.enqueue("invoice.send", "A-4", once);
			TransactionTemplate other = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
			other.setPropagationBehaviorName("PROPAGATION_REQUIRES_NEW");
			other.executeWithoutResult((inner) -> {
				assertThatExceptionOfType(EnqueueKeyBusyException.class)
					.isThrownBy(() -> workhorse.queue().enqueue("invoice.send", "A-4", once));
				assertThat(this.jdbc.queryForObject("select 1", Integer.class)).isOne();
			});
		});
	}

	private long orders(String id) {
		return count("select count(*) from orders where id = ?", id);
	}

	private long jobs(UUID id) {
		return count("select count(*) from workhorse.job where id = ?", id);
	}

	private long count(String sql, Object argument) {
		Long count = this.jdbc.queryForObject(sql, Long.class, argument);
		return (count != null) ? count : -1;
	}

	// tag::join[]
	@Service
	static class Orders {

		private final JdbcTemplate jdbc;

		private final Queue queue;

		Orders(JdbcTemplate jdbc, Queue queue) {
			this.jdbc = jdbc;
			this.queue = queue;
		}

		@Transactional
		UUID place(String orderId) {
			this.jdbc.update("insert into orders (id, state) values (?, 'placed')", orderId);
			return this.queue.enqueue("invoice.send", orderId,
					EnqueueOptions.idempotency(Idempotency.key(orderId).scope("orders")));
		}

	}
	// end::join[]

	@Service
	static class Imports {

		private final JdbcTemplate jdbc;

		private final Queue queue;

		Imports(JdbcTemplate jdbc, Queue queue) {
			this.jdbc = jdbc;
			this.queue = queue;
		}

		// tag::catch[]
		@Transactional
		String read(String file, int rows) {
			String outcome;
			try {
				EnqueueResult result = this.queue.enqueueWithResult("import", rows,
						EnqueueOptions.idempotencyKey(file));
				outcome = result.outcome().label();
			}
			catch (EnqueueIdempotencyConflictException ex) {
				outcome = "conflict";
			}
			this.jdbc.update("insert into orders (id, state) values (?, ?) on conflict do nothing", file + "/" + rows,
					outcome);
			return outcome;
		}
		// end::catch[]

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Application {

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			return new JdbcTemplate(dataSource);
		}

		@Bean
		Queue queue(DataSource dataSource) {
			return Workhorse.builder(dataSource).build().queue();
		}

	}

}
