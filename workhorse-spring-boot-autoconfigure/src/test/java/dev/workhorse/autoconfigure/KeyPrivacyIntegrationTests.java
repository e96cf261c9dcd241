package dev.workhorse.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Idempotency;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A key of any mode shows in nothing that a whole application stores, logs, throws,
 * counts or answers (H15).
 */
class KeyPrivacyIntegrationTests {

	private static final String SECRET = "live_0123456789abcdefghij";

	private static TestDatabase database;

	private final StringBuilder seen = new StringBuilder();

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void keysAreFoundNowhere() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		try (ConfigurableApplicationContext context = application()) {
			Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
			Level level = root.getLevel();
			log.start();
			root.addAppender(log);
			root.setLevel(Level.TRACE);
			try {
				use(context);
				look(context);
			}
			finally {
				root.setLevel(level);
				root.detachAppender(log);
			}
		}
		List<ILoggingEvent> events = List.copyOf(log.list);
		assertThat(events).as("Spring's trace of the parameters")
			.anyMatch((event) -> event.getFormattedMessage().contains("idem…ij"));
		events.forEach((event) -> this.seen.append(describe(event)).append('\n'));
		// of each mode, what is allowed was there to be found
		assertThat(this.seen).contains("idem…ij", "thro…ij", "debo…ij", "emit…ij", "workhorse.enqueue",
				"workhorse.emit", "\"preview\"");
		byte[] key = SECRET.getBytes(StandardCharsets.UTF_8);
		assertThat(this.seen.toString()).doesNotContain(SECRET)
			.doesNotContain("0123456789abc")
			.doesNotContain(HexFormat.of().formatHex(key))
			.doesNotContain(Base64.getEncoder().encodeToString(key).substring(0, 30));
	}

	private void use(ConfigurableApplicationContext context) {
		Queue queue = context.getBean(Queue.class);
		List<EnqueueOptions> modes = List.of(
				EnqueueOptions.idempotency(Idempotency.key("idem" + SECRET).scope("payments")),
				EnqueueOptions.throttle(Throttle.key("thro" + SECRET, Duration.ofHours(1))),
				EnqueueOptions.debounce(Debounce.reset("debo" + SECRET, Duration.ofHours(1))));
		for (EnqueueOptions options : modes) {
			this.seen.append(options).append(queue.enqueueWithResult("known", 1, options)).append('\n');
			queue.enqueue("known", 1, options);
			queue.enqueueAll(List.of(new EnqueueRequest("known", 1, options), new EnqueueRequest("known", 1, options)));
		}
		for (EnqueueOptions options : modes.subList(0, 2)) {
			thrown(EnqueueIdempotencyConflictException.class, () -> queue.enqueue("known", 2, options));
			thrown(EnqueueIdempotencyConflictException.class,
					() -> queue.enqueueAll(List.of(new EnqueueRequest("known", 2, options))));
		}
		thrown(InvalidRequestException.class, () -> queue
			.enqueueAll(List.of(new EnqueueRequest("known", 1, modes.get(0)), new EnqueueRequest("known", 1,
					EnqueueOptions.throttle(Throttle.key("idem" + SECRET, Duration.ofHours(1)).scope("payments"))))));
		thrown(InvalidRequestException.class, () -> Idempotency.key("idem" + SECRET + "\0"));
		Conductor conductor = context.getBean(Conductor.class);
		EmitOptions emit = EmitOptions.dedupeKey("emit" + SECRET);
		this.seen.append(emit).append(conductor.emit("order.paid", 1, emit)).append('\n');
		conductor.emit("order.paid", 2, emit);
		thrown(InvalidRequestException.class, () -> EmitOptions.dedupeKey("emit" + SECRET + "\0"));
		UUID failing = queue.enqueue("failing", 1, EnqueueOptions.idempotencyKey("fail" + SECRET));
		this.seen.append(TestJobStore.awaitFinished(context, failing)).append('\n');
	}

	private <T extends Throwable> void thrown(Class<T> type, ThrowingCallable call) {
		Throwable failure = catchThrowableOfType(type, call);
		assertThat(failure).isNotNull();
		this.seen.append(ThrowableProxyUtil.asString(new ThrowableProxy(failure)));
	}

	private void look(ConfigurableApplicationContext context) {
		for (String path : List.of("workhorse", "health", "metrics", "metrics/workhorse.enqueue", "configprops",
				"env")) {
			this.seen.append(get(context, "/actuator/" + path)).append('\n');
		}
		context.getBean(MeterRegistry.class)
			.getMeters()
			.forEach((meter) -> this.seen.append(meter.getId()).append(meter.getId().getDescription()).append('\n'));
		this.seen.append(context.getBean(Jobs.class).liveKeys(100)).append('\n');
		JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
		List<String> tables = jdbc.queryForList(
				"select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('workhorse', 'public')",
				String.class);
		assertThat(tables).contains("workhorse.job", "workhorse.job_run", "workhorse.job_outcome");
		tables.forEach((table) -> this.seen
			.append(jdbc.queryForList("select row_to_json(t)::text from " + table + " as t", String.class))
			.append('\n'));
		this.seen.append(jdbc.queryForList("select query from pg_stat_activity", String.class));
	}

	private static ConfigurableApplicationContext application() {
		return new SpringApplicationBuilder(Shop.class).properties(TestJobStore.properties(database))
			.properties(Map.of("server.port", "0", "spring.flyway.enabled", "false", "spring.liquibase.enabled",
					"false", "spring.data.jpa.repositories.enabled", "false",
					"management.endpoints.web.exposure.include", "*", "management.endpoint.health.show-details",
					"always", "spring.main.banner-mode", "off"))
			.run();
	}

	private static String get(ConfigurableApplicationContext context, String path) {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
		try {
			HttpResponse<String> answer = HttpClient.newHttpClient()
				.send(request, HttpResponse.BodyHandlers.ofString());
			assertThat(answer.statusCode()).as(path).isEqualTo(200);
			return answer.body();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String describe(ILoggingEvent event) {
		return event.getLoggerName() + " " + event.getThreadName() + " " + event.getFormattedMessage()
				+ event.getMDCPropertyMap()
				+ ((event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy()) : "");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
	static class Shop {

		@JobHandler("known")
		void known() {
		}

		@JobHandler(value = "failing", maxAttempts = 1)
		void failing() {
			throw new IllegalStateException("failing");
		}

	}

}
