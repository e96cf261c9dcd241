package dev.workhorse.autoconfigure;

import java.util.UUID;

import javax.sql.DataSource;

import dev.workhorse.Queue;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.JobState;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which transaction manager the transactional handlers of an application use.
 */
class TransactionalHandlerIntegrationTests {

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
		new JdbcTemplate(database.dataSource()).execute("create table effect (job_id uuid not null)");
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void handlerItsTransactionalMethodsAndItsSuccessAreOneTransaction() {
		TestJobStore.application(database).withUserConfiguration(Annotations.class, Effects.class).run((context) -> {
			assertThat(effectsWithin(context, "effect.write")).isEqualTo(2);
			assertThat(effectsWithin(context, "effect.plain")).as("a handler that is not transactional").isZero();
		});
	}

	@Test
	void withoutAnyTransactionManagerTheJobStoreMakesOne() {
		bare().withUserConfiguration(Effects.class)
			.run((context) -> assertThat(effectsWithin(context, "effect.write")).isEqualTo(2));
	}

	@Test
	void theOneOfTheJobStoreIsChosenAmongOthers() {
		bare().withUserConfiguration(OtherManager.class, OwnManager.class, Effects.class)
			.run((context) -> assertThat(effectsWithin(context, "effect.write")).isEqualTo(2));
	}

	@Test
	void managersOfSomethingElseEndTheStart() {
		bare().withUserConfiguration(OtherManager.class, Effects.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartupException.class)
				.hasMessageContaining("these manage something else: [other]"));
	}

	@Test
	void severalOfTheJobStoreEndTheStart() {
		bare().withUserConfiguration(OwnManager.class, SecondManager.class, Effects.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartupException.class)
				.hasMessageContaining("there are several and none of them is the primary one: [own, second]")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void primaryOneOfSeveralIsChosen() {
		bare().withUserConfiguration(OwnManager.class, PrimaryManager.class, Annotations.class, Effects.class)
			.run((context) -> assertThat(effectsWithin(context, "effect.write")).isEqualTo(2));
	}

	@Test
	void withoutTransactionalHandlersNothingIsLookedFor() {
		bare().withUserConfiguration(OwnManager.class, SecondManager.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner bare() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, WorkhorseAutoConfiguration.class))
			.withPropertyValues(TestJobStore.properties(database));
	}

	/**
	 * How many effects were committed by the transaction that stored the success.
	 */
	private static int effectsWithin(AssertableApplicationContext context, String type) {
		UUID job = context.getBean(Queue.class).enqueue(type, "x");
		assertThat(TestJobStore.awaitFinished(context, job).state()).isEqualTo(JobState.SUCCEEDED);
		Integer count = new JdbcTemplate(database.dataSource()).queryForObject("""
				select count(*)
				from effect
				join workhorse.job_outcome using (job_id)
				where job_id = ?
				  and effect.xmin::text = job_outcome.xmin::text
				""", Integer.class, job);
		return (count != null) ? count : -1;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Annotations {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Inner.class)
	static class Effects {

		private final JdbcTemplate jdbc;

		private final Inner inner;

		Effects(JdbcTemplate jdbc, Inner inner) {
			this.jdbc = jdbc;
			this.inner = inner;
		}

		@JobHandler(value = "effect.write", transactional = true)
		void write(JobContext job) {
			this.jdbc.update("insert into effect values (?)", job.jobId());
			this.inner.write(job);
		}

		@JobHandler("effect.plain")
		void plain(JobContext job) {
			this.jdbc.update("insert into effect values (?)", job.jobId());
		}

	}

	static class Inner {

		private final JdbcTemplate jdbc;

		Inner(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Transactional
		void write(JobContext job) {
			this.jdbc.update("insert into effect values (?)", job.jobId());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnManager {

		@Bean
		PlatformTransactionManager own(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondManager {

		@Bean
		PlatformTransactionManager second(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryManager {

		@Bean
		@Primary
		PlatformTransactionManager primary(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherManager {

		@Bean
		PlatformTransactionManager other() {
			return new JdbcTransactionManager(new DriverManagerDataSource("jdbc:postgresql://localhost:1/nowhere"));
		}

	}

}
