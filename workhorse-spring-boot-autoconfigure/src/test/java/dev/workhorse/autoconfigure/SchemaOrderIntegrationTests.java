package dev.workhorse.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.workhorse.Queue;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class SchemaOrderIntegrationTests {

	private TestDatabase database;

	@BeforeEach
	void createDatabase() {
		this.database = TestJobStore.emptyDatabase();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void beanThatEnqueuesWhileItIsCreatedFindsTheSchema() {
		application().withBean(EagerEnqueuer.class).run((context) -> {
			EagerEnqueuer enqueuer = context.getBean(EagerEnqueuer.class);
			assertThat(TestJobStore.find(context, enqueuer.id)).isPresent();
		});
	}

	@Test
	void beanThatEnqueuesFindsTheSchemaWhereEveryBeanIsLazy() {
		application()
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withBean(EagerEnqueuer.class)
			.run((context) -> assertThat(TestJobStore.find(context, context.getBean(EagerEnqueuer.class).id))
				.isPresent());
	}

	@Test
	void applicationsFlywayRunsBeforeAndKeepsItsOwnHistory() {
		application().withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
			.withPropertyValues("spring.flyway.locations=classpath:app/flyway")
			.withBean(EagerEnqueuer.class)
			.run(this::assertBothMigrated);
	}

	@Test
	void applicationsLiquibaseRunsBeforeAndKeepsItsOwnHistory() {
		application().withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
			.withPropertyValues("spring.liquibase.change-log=classpath:app/liquibase/changelog.sql")
			.withBean(EagerEnqueuer.class)
			.run(this::assertBothMigrated);
	}

	@Test
	void applicationsMigrationsRunFirst() {
		application().withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
			.withPropertyValues("spring.flyway.locations=classpath:app/flyway")
			.run((context) -> assertThat(
					context.getBeanFactory().getBeanDefinition("workhorseSchemaInitializer").getDependsOn())
				.contains("flywayInitializer"));
	}

	@Test
	void beansThatUseTheDatabaseComeAfterTheSchemaOfTheJobs() {
		application().run((context) -> {
			for (String name : List.of("workhorseQueue", "workhorseJobs", "workhorse", "jdbcTemplate")) {
				assertThat(context.getBeanFactory().getBeanDefinition(name).getDependsOn()).as(name)
					.contains("workhorseSchemaInitializer");
			}
		});
	}

	@Test
	void validatedSchemaThatIsAbsentFailsTheStart() {
		application().withPropertyValues("workhorse.schema.mode=validate")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.message()
				.contains("Schema 'workhorse' is absent", "workhorse.schema.mode=migrate"));
	}

	@Test
	void schemaThatIsManagedElsewhereIsLeftAlone() {
		application().withPropertyValues("workhorse.schema.mode=none", "workhorse.worker.enabled=false")
			.run((context) -> assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("select to_regnamespace('workhorse') is null", Boolean.class)).isTrue());
	}

	private void assertBothMigrated(AssertableApplicationContext context) {
		assertThat(TestJobStore.find(context, context.getBean(EagerEnqueuer.class).id)).isPresent();
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		assertThat(jdbc.queryForObject("select count(*) from app_table", Integer.class)).isEqualTo(1);
		List<String> tables = new ArrayList<>(jdbc.queryForList(
				"select table_name from information_schema.tables where table_schema = 'public'", String.class));
		assertThat(tables).contains("app_table").doesNotContain("job", "job_run");
		assertThat(jdbc.queryForList("select id from workhorse.databasechangelog", String.class)).contains("job")
			.doesNotContain("app");
	}

	private ApplicationContextRunner application() {
		return TestJobStore.application(this.database);
	}

	static class EagerEnqueuer {

		private final UUID id;

		EagerEnqueuer(Queue queue) {
			this.id = queue.enqueue("nobody", null);
		}

	}

}
