package dev.workhorse.autoconfigure;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.Queue;
import dev.workhorse.ReadOnlyTransactionException;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An entity and a job in one JPA transaction (A4, A7, A8, A10).
 */
class JpaTransactionIntegrationTests {

	private static TransactionalApplication application;

	private static Orders orders;

	@BeforeAll
	static void start() {
		application = TransactionalApplication.start(Shop.class);
		orders = application.bean(Orders.class);
		assertThat(application.bean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void entityAndJobCommitTogether() {
		UUID job = orders.place("committed", 1);
		assertThat(application.isOrderStored("committed")).isTrue();
		assertThat(application.isJobStored(job)).isTrue();
	}

	@Test
	void jobIsInvisibleUntilTheCommitOfTheEntity() {
		UUID job = orders.placeAnd("invisible", 1, (id) -> assertThat(application.isJobStored(id)).isFalse());
		assertThat(application.isJobStored(job)).isTrue();
	}

	@Test
	void rollbackKeepsNeitherAndFreesTheKey() {
		AtomicReference<UUID> job = new AtomicReference<>();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.placeAnd("failed", 1, (id) -> {
			job.set(id);
			throw new IllegalStateException("after both writes");
		}));
		assertThat(application.isOrderStored("failed")).isFalse();
		assertThat(application.isJobStored(job.get())).isFalse();
		assertThat(application.bean(Queue.class)
			.enqueueWithResult("invoice.send", 2, TransactionalApplication.options("failed"))
			.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void entityThatFailsAtTheFlushTakesTheJobWithIt() {
		orders.place("twice", 1);
		AtomicReference<UUID> job = new AtomicReference<>();
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> orders.placeAgain("twice", "other key", job));
		assertThat(application.isJobStored(job.get())).isFalse();
	}

	@Test
	void replayInAJpaTransactionReturnsTheOriginalJob() {
		UUID original = TransactionalApplication.requestInvoice(application.bean(Queue.class), "replayed", 1);
		assertThat(orders.place("replayed", 1)).isEqualTo(original);
		assertThat(application.isOrderStored("replayed")).isTrue();
	}

	@Test
	void caughtConflictLetsTheOuterTransactionCommit() {
		UUID original = TransactionalApplication.requestInvoice(application.bean(Queue.class), "conflict", 1);
		assertThat(orders.placeDespiteConflict("conflict", 2)).isEqualTo(original);
		assertThat(application.isOrderStored("conflict")).isTrue();
	}

	@Test
	void readOnlyJpaTransactionIsRefused() {
		assertThatExceptionOfType(ReadOnlyTransactionException.class).isThrownBy(() -> orders.placeReadOnly("read"));
	}

	@Test
	void rollbackToASavepointTakesTheJobAndLeavesTheEntityBefore() {
		TransactionTemplate outer = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		TransactionTemplate nested = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		Queue queue = application.bean(Queue.class);
		UUID lost = outer.execute((status) -> {
			orders.saveNow("before the savepoint");
			UUID rolledBack = nested.execute((inner) -> {
				UUID id = TransactionalApplication.requestInvoice(queue, "nested", 1);
				inner.setRollbackOnly();
				return id;
			});
			assertThat(TransactionalApplication.requestInvoice(queue, "nested", 2)).isNotEqualTo(rolledBack);
			return rolledBack;
		});
		assertThat(application.isOrderStored("before the savepoint")).isTrue();
		assertThat(application.isJobStored(lost)).isFalse();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		Orders orders(EntityManager entities, Queue queue) {
			return new Orders(entities, queue);
		}

		@Bean
		TransactionManagerCustomizer<JpaTransactionManager> savepoints() {
			return (manager) -> manager.setNestedTransactionAllowed(true);
		}

	}

	static class Orders {

		private final EntityManager entities;

		private final Queue queue;

		Orders(EntityManager entities, Queue queue) {
			this.entities = entities;
			this.queue = queue;
		}

		@Transactional
		public UUID place(String id, int amount) {
			this.entities.persist(new OrderEntity(id));
			return TransactionalApplication.requestInvoice(this.queue, id, amount);
		}

		@Transactional
		public UUID placeAnd(String id, int amount, Consumer<UUID> then) {
			UUID job = place(id, amount);
			this.entities.flush();
			then.accept(job);
			return job;
		}

		@Transactional
		public void placeAgain(String id, String key, AtomicReference<UUID> job) {
			this.entities.persist(new OrderEntity(id));
			job.set(TransactionalApplication.requestInvoice(this.queue, key, 1));
		}

		@Transactional
		public UUID placeDespiteConflict(String id, int amount) {
			try {
				return place(id, amount);
			}
			catch (EnqueueIdempotencyConflictException ex) {
				return ex.existingJobId();
			}
		}

		@Transactional(readOnly = true)
		public void placeReadOnly(String id) {
			TransactionalApplication.requestInvoice(this.queue, id, 1);
		}

		@Transactional
		public void saveNow(String id) {
			this.entities.persist(new OrderEntity(id));
			this.entities.flush();
		}

	}

	@Entity
	@Table(name = "orders")
	static class OrderEntity {

		@Id
		private String id;

		OrderEntity() {
		}

		OrderEntity(String id) {
			this.id = id;
		}

	}

}
