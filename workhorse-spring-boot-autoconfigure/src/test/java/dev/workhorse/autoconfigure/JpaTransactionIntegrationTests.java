package dev.workhorse.autoconfigure;

import java.util.ArrayList;
import java.util.List;
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
	void innerTransactionCommitsItsJobAlthoughTheOuterRollsBack() {
		// Hibernate has no savepoints, so this is all the nesting there is
		TransactionTemplate outer = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		TransactionTemplate inner = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		List<UUID> jobs = new ArrayList<>();
		outer.executeWithoutResult((status) -> {
			jobs.add(orders.place("outer", 1));
			jobs.add(inner.execute((own) -> orders.place("inner", 1)));
			status.setRollbackOnly();
		});
		assertThat(application.isOrderStored("outer")).isFalse();
		assertThat(application.isJobStored(jobs.get(0))).isFalse();
		assertThat(application.isOrderStored("inner")).isTrue();
		assertThat(application.isJobStored(jobs.get(1))).isTrue();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		Orders orders(EntityManager entities, Queue queue) {
			return new Orders(entities, queue);
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
		UUID place(String id, int amount) {
			this.entities.persist(new OrderEntity(id));
			return TransactionalApplication.requestInvoice(this.queue, id, amount);
		}

		@Transactional
		UUID placeAnd(String id, int amount, Consumer<UUID> then) {
			UUID job = place(id, amount);
			this.entities.flush();
			then.accept(job);
			return job;
		}

		@Transactional
		void placeAgain(String id, String key, AtomicReference<UUID> job) {
			this.entities.persist(new OrderEntity(id));
			job.set(TransactionalApplication.requestInvoice(this.queue, key, 1));
		}

		@Transactional
		UUID placeDespiteConflict(String id, int amount) {
			try {
				return place(id, amount);
			}
			catch (EnqueueIdempotencyConflictException ex) {
				return ex.existingJobId();
			}
		}

		@Transactional(readOnly = true)
		void placeReadOnly(String id) {
			TransactionalApplication.requestInvoice(this.queue, id, 1);
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
