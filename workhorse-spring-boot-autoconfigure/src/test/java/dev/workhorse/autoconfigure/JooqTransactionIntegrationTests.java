package dev.workhorse.autoconfigure;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.Queue;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A jOOQ write and a job in one transaction, begun by Spring or by jOOQ (A4, A7).
 */
class JooqTransactionIntegrationTests {

	private static TransactionalApplication application;

	private static DSLContext jooq;

	private static Queue queue;

	private static TransactionTemplate transaction;

	@BeforeAll
	static void start() {
		application = TransactionalApplication.start(Shop.class);
		jooq = application.bean(DSLContext.class);
		queue = application.bean(Queue.class);
		transaction = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void rowAndJobCommitTogether() {
		UUID job = transaction.execute((status) -> place(jooq, "spring commits", 1));
		assertThat(application.isOrderStored("spring commits")).isTrue();
		assertThat(application.isJobStored(job)).isTrue();
	}

	@Test
	void rollbackKeepsNeither() {
		UUID job = transaction.execute((status) -> {
			status.setRollbackOnly();
			return place(jooq, "spring rolls back", 1);
		});
		assertThat(application.isOrderStored("spring rolls back")).isFalse();
		assertThat(application.isJobStored(job)).isFalse();
	}

	@Test
	void transactionOfJooqIsJoined() {
		UUID job = jooq.transactionResult((configuration) -> {
			UUID id = place(configuration.dsl(), "jooq commits", 1);
			assertThat(application.isJobStored(id)).isFalse();
			return id;
		});
		assertThat(application.isOrderStored("jooq commits")).isTrue();
		assertThat(application.isJobStored(job)).isTrue();
	}

	@Test
	void transactionThatJooqRollsBackKeepsNeitherAndFreesTheKey() {
		AtomicReference<UUID> job = new AtomicReference<>();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> jooq.transaction((configuration) -> {
			job.set(place(configuration.dsl(), "jooq rolls back", 1));
			throw new IllegalStateException("after both writes");
		}));
		assertThat(application.isOrderStored("jooq rolls back")).isFalse();
		assertThat(application.isJobStored(job.get())).isFalse();
		assertThat(queue.enqueueWithResult("invoice.send", 2, TransactionalApplication.options("jooq rolls back"))
			.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void nestedTransactionOfJooqIsASavepoint() {
		AtomicReference<UUID> job = new AtomicReference<>();
		jooq.transaction((outer) -> {
			insert(outer.dsl(), "before the savepoint");
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> outer.dsl().transaction((inner) -> {
				job.set(place(inner.dsl(), "nested", 1));
				throw new IllegalStateException("only the inner one");
			}));
			assertThat(TransactionalApplication.requestInvoice(queue, "nested", 2)).isNotEqualTo(job.get());
		});
		assertThat(application.isOrderStored("before the savepoint")).isTrue();
		assertThat(application.isOrderStored("nested")).isFalse();
		assertThat(application.isJobStored(job.get())).isFalse();
	}

	@Test
	void caughtConflictLetsTheTransactionCommit() {
		UUID original = TransactionalApplication.requestInvoice(queue, "conflict", 1);
		jooq.transaction((configuration) -> {
			insert(configuration.dsl(), "conflict before");
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> TransactionalApplication.requestInvoice(queue, "conflict", 2))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(original));
			insert(configuration.dsl(), "conflict after");
		});
		assertThat(application.isOrderStored("conflict before")).isTrue();
		assertThat(application.isOrderStored("conflict after")).isTrue();
	}

	private static UUID place(DSLContext jooq, String order, int amount) {
		insert(jooq, order);
		return TransactionalApplication.requestInvoice(queue, order, amount);
	}

	private static void insert(DSLContext jooq, String order) {
		jooq.insertInto(DSL.table("orders")).columns(DSL.field("id", String.class)).values(order).execute();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
	static class Shop {

	}

}
