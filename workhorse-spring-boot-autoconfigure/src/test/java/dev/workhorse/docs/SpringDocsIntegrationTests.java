package dev.workhorse.docs;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.autoconfigure.actuate.JobStoreDescriptor;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs what the README and the page about handlers show.
 */
class SpringDocsIntegrationTests {

	private static TestDatabase database;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() {
		database = TestDatabase.create("docs", (dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + database.jdbcUrl(), "--spring.flyway.enabled=false",
					"--spring.liquibase.enabled=false", "--spring.main.banner-mode=off");
	}

	@AfterAll
	static void stop() {
		context.close();
		database.close();
	}

	@Test
	void redeliveryGetsTheOriginalJob() {
		GitHubWebhooks webhooks = context.getBean(GitHubWebhooks.class);
		GitHubWebhooks.Push push = new GitHubWebhooks.Push("refs/heads/main", "c0ffee");
		EnqueueResult first = webhooks.receive("72d3162e", push);
		EnqueueResult again = webhooks.receive("72d3162e", push);
		assertThat(first.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(again).isEqualTo(new EnqueueResult(first.jobId(), EnqueueOutcome.REPLAYED));
		assertThat(context.getBean(JsonMapper.class).writeValueAsString(again))
			.isEqualTo("{\"jobId\":\"%s\",\"outcome\":\"REPLAYED\",\"reason\":null}".formatted(first.jobId()));
		assertThat(finished(first.jobId()).state()).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void handlerIsGivenThePayloadAndTheContext() {
		UUID job = enqueue("invoice.capture", "10");
		JobDetails details = finished(job);
		assertThat(details.state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(details.result()).contains("charged");
		assertThat(RecordedPayments.calls).contains("charge %s 10".formatted(job));
	}

	@Test
	void permanentFailureIsNotRetried() {
		JobDetails details = finished(enqueue("invoice.refund", "0"));
		assertThat(details.state()).isEqualTo(JobState.FAILED);
		assertThat(details.attempt()).isOne();
	}

	@Test
	void attributesOfTheHandlerAreUsed() {
		assertThat(finished(enqueue("invoice.mail", "1")).state()).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void transactionalHandlerBooksAndAsksForTheMail() {
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		jdbc.execute("create table account (id text primary key, balance numeric not null)");
		jdbc.update("insert into account values ('A-1', 5)");
		UUID job = context.getBean(Queue.class)
			.enqueue("payment.book", new PaymentBookings.Payment("A-1", BigDecimal.TEN));
		assertThat(finished(job).state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(jdbc.queryForObject("select balance from account", Integer.class)).isEqualTo(15);
		Await.until("the mail", () -> RecordedPayments.calls.contains("mail A-1"));
	}

	@Test
	void referenceNamesTheFieldsOfTheEndpoint() {
		for (RecordComponent field : JobStoreDescriptor.class.getRecordComponents()) {
			assertThat(endpointRow(field.getName())).isNotEmpty();
		}
	}

	private static String endpointRow(String name) {
		return Book.read(Book.root().resolve("docs/reference/endpoint.md"))
			.lines()
			.filter((line) -> line.startsWith("| `" + name + "` |"))
			.findFirst()
			.orElseThrow(() -> new AssertionError("docs/reference/endpoint.md says nothing of " + name));
	}

	private static UUID enqueue(String type, String amount) {
		return context.getBean(Queue.class).enqueue(type, new InvoiceHandlers.Invoice("4711", new BigDecimal(amount)));
	}

	private static JobDetails finished(UUID job) {
		Jobs jobs = context.getBean(Jobs.class);
		return Await.value("job %s to finish".formatted(job), () -> jobs.find(job).orElseThrow(),
				(details) -> details.state().isFinished());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ GitHubWebhooks.class, InvoiceHandlers.class, PaymentBookings.class, RecordedPayments.class })
	static class Application {

	}

	static class RecordedPayments implements Payments {

		static final List<String> calls = new CopyOnWriteArrayList<>();

		@Override
		public InvoiceHandlers.Receipt charge(UUID idempotencyKey, BigDecimal amount) {
			calls.add("charge %s %s".formatted(idempotencyKey, amount));
			return new InvoiceHandlers.Receipt("charged");
		}

		@Override
		public void refund(UUID idempotencyKey, BigDecimal amount) {
			calls.add("refund %s %s".formatted(idempotencyKey, amount));
		}

		@Override
		public void mail(String number) {
			calls.add("mail " + number);
		}

		@Override
		public boolean isBusy() {
			return false;
		}

	}

}
