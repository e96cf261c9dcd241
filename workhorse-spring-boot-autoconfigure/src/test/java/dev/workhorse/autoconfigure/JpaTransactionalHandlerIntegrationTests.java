package dev.workhorse.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.testsupport.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Entities and the success of the job that wrote them in one JPA transaction.
 */
class JpaTransactionalHandlerIntegrationTests {

	private static TestDatabase database;

	private static ConfigurableApplicationContext context;

	private static JdbcTemplate jdbc;

	@BeforeAll
	static void start() {
		database = TestJobStore.migratedDatabase();
		jdbc = new JdbcTemplate(database.dataSource());
		jdbc.execute("create table counter (name text primary key, value int not null, version int not null)");
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(TestJobStore.properties(database))
			.properties("spring.flyway.enabled=false", "spring.liquibase.enabled=false",
					"spring.jpa.hibernate.ddl-auto=none", "spring.data.jpa.repositories.enabled=false",
					"spring.main.banner-mode=off")
			.run();
		assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
	}

	@AfterAll
	static void stop() {
		context.close();
		database.close();
	}

	@Test
	void entityAndSuccessAreOneTransaction() {
		JobDetails done = run("counter.add", "together");
		assertThat(done.attempt()).isOne();
		assertThat(jdbc.queryForObject("""
				select counter.xmin::text = job_outcome.xmin::text
				from counter, workhorse.job_outcome
				where name = 'together' and job_id = ?
				""", Boolean.class, done.id())).isTrue();
	}

	@Test
	void staleVersionFailsTheAttemptAndTheNextOneIsTheOnlyOneThatCounts() {
		run("counter.add", "contended");
		JobDetails done = run("counter.contend", "contended");
		assertThat(done.errors()).singleElement()
			.satisfies((error) -> assertThat(error.type()).contains("OptimisticLocking"));
		assertThat(values("contended")).containsExactly(1 + 100 + 1);
	}

	@Test
	void entityThatFailsAtTheFlushFailsTheAttempt() {
		run("counter.add", "twice");
		JobDetails done = run("counter.duplicate", "twice");
		assertThat(done.errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("counter_pkey"));
		assertThat(values("twice")).containsExactly(1);
		assertThat(values("twice again")).containsExactly(7);
	}

	private static JobDetails run(String type, String name) {
		UUID job = context.getBean(Queue.class)
			.enqueue(type, name, EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))));
		JobDetails done = TestJobStore.awaitFinished(context, job);
		assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
		return TestJobStore.find(context, job).orElseThrow();
	}

	private static List<Integer> values(String name) {
		return jdbc.queryForList("select value from counter where name = ?", Integer.class, name);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Counters.class)
	static class Application {

	}

	static class Counters {

		private final EntityManager entityManager;

		Counters(EntityManager entityManager) {
			this.entityManager = entityManager;
		}

		@JobHandler(value = "counter.add", transactional = true)
		void add(String name) {
			this.entityManager.persist(new Counter(name, 1));
		}

		@JobHandler(value = "counter.contend", transactional = true)
		void contend(String name, JobContext job) {
			this.entityManager.find(Counter.class, name).value++;
			if (job.attempt() == 1) {
				jdbc.update("update counter set value = value + 100, version = version + 1 where name = ?", name);
			}
		}

		@JobHandler(value = "counter.duplicate", transactional = true)
		void duplicate(String name, JobContext job) {
			this.entityManager.persist(new Counter((job.attempt() == 1) ? name : name + " again", 7));
		}

	}

	@Entity
	@Table(name = "counter")
	static class Counter {

		@Id
		String name;

		int value;

		@Version
		int version;

		Counter() {
		}

		Counter(String name, int value) {
			this.name = name;
			this.value = value;
		}

	}

}
