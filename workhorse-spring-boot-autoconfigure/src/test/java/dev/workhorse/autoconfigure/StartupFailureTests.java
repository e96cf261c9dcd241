package dev.workhorse.autoconfigure;

import javax.sql.DataSource;

import dev.workhorse.handler.JobHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a user reads when the application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureTests {

	@Test
	void unreachableDatabaseIsExplained(CapturedOutput output) {
		assertStartFails(Application.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Cannot connect to the database that keeps the jobs")
			.contains(
					"Check that PostgreSQL is running and that spring.datasource.url, username and password are right.");
	}

	@Test
	void twoHandlersForOneTypeAreExplained(CapturedOutput output) {
		assertStartFails(Twins.class, "workhorse.schema.mode=none");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Two handlers for job type 'twin'")
			.contains("Twins.one() of bean")
			.contains("Twins.two() of bean")
			.contains("Keep one of them or give it another type.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			workhorse.schema.name | Jobs | a lower-case identifier
			workhorse.enqueue.idempotency-ttl | 366d | 1 ms to 365 days
			workhorse.enqueue.max-attempts | 101 | 1 to 100
			workhorse.enqueue.retry-policy | sometimes | 'polynomial'
			workhorse.enqueue.retry-policy | fixed:PT0S | 1 ms to 365 days
			workhorse.enqueue.key-wait | 0s | 1 ms to 365 days
			workhorse.payload.max-size | 17MB | 1 to 16,777,216 bytes
			workhorse.worker.lease | 10ms | PT0.1S to PT1H
			workhorse.worker.poll-interval | 2m | PT0.001S to PT1M
			workhorse.worker.connections | 101 | 0 or 2 to 100
			workhorse.worker.shutdown-grace | -1s | 0 seconds or more
			""")
	void propertyOutOfItsBoundsIsExplained(String property, String value, String bound, CapturedOutput output) {
		assertStartFails(Application.class, property + "=" + value, "workhorse.schema.mode=none");
		assertThat(output).contains("APPLICATION FAILED TO START").contains("'" + property + "'").contains(bound);
		assertThat(output).contains("Invalid value '");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			concurrency | 0 | 1 to 10,000
			concurrency-per-key | 0 | 1 to 10,000
			rate-limit | 0 | 1 to 1,000,000
			rate-period | 0s | 1 ms to 365 days
			""")
	void propertyOfOneQueueOutOfItsBoundsIsExplained(String property, String value, String bound,
			CapturedOutput output) {
		assertStartFails(Application.class, "workhorse.worker.queues.good.concurrency=1",
				"workhorse.worker.queues.mail.rate-limit=1", "workhorse.worker.queues.mail." + property + "=" + value,
				"workhorse.schema.mode=none");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'workhorse.worker.queues.mail." + property + "'")
			.contains(bound);
	}

	@Test
	void severalDataSourcesAreExplained(CapturedOutput output) {
		assertStartFails(TwoDataSources.class, "workhorse.schema.mode=none");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Jobs are kept in one DataSource, but there are several")
			.contains("Mark the one that keeps the jobs with @WorkhorseDataSource");
	}

	private static void assertStartFails(Class<?> application, String... properties) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=jdbc:postgresql://localhost:1/nowhere",
					"spring.datasource.hikari.connection-timeout=250", "spring.main.banner-mode=off")
			.properties(properties)
			.run());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, WorkhorseAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(WorkhorseAutoConfiguration.class)
	static class TwoDataSources {

		@Bean
		DataSource one() {
			return new DriverManagerDataSource("jdbc:postgresql://localhost:1/one");
		}

		@Bean
		DataSource two() {
			return new DriverManagerDataSource("jdbc:postgresql://localhost:1/two");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, WorkhorseAutoConfiguration.class })
	static class Twins {

		@JobHandler("twin")
		void one() {
		}

		@JobHandler("twin")
		void two() {
		}

	}

}
