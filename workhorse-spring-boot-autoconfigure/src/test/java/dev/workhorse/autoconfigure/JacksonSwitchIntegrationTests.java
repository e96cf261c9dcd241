package dev.workhorse.autoconfigure;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.Queue;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that moves from one Jackson to the other still recognises its requests
 * (H11: kagkarlsson/db-scheduler#777, dbos-java#378).
 */
class JacksonSwitchIntegrationTests {

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	static List<Object> payloads() {
		Map<String, Object> map = new LinkedHashMap<>();
		map.put("z", 1);
		map.put("a", List.of(1L << 60, 0.1, 1e30, -0.0, 2.50f));
		map.put("nothing", null);
		return List.of(
				new Order("A-1", new BigDecimal("12.50"), Instant.parse("2030-01-02T03:04:05.123456Z"), Color.DARK_RED,
						Optional.of("note"), Optional.empty(), null, map,
						List.of(List.of(new Line(1, 2.5)), List.of(), List.of(new Line(2, 1e-7)))),
				map, new BigDecimal("1E+3"), Optional.of(Color.DARK_RED), "😀\u2028\"\\/", List.of(true, List.of()));
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void bothJacksonsOfSpringBootGiveOneFingerprint(Object payload) {
		UUID[] jobs = new UUID[2];
		String key = UUID.randomUUID().toString();
		run(2, (queue) -> jobs[0] = queue.enqueue("type", payload, options(key, "two")));
		run(3, (queue) -> jobs[1] = queue.enqueue("type", payload, options(key, "three")));
		List<String> fingerprints = List.of(fingerprint(jobs[0]), fingerprint(jobs[1]));
		assertThat(fingerprints.get(0)).isEqualTo(fingerprints.get(1)).hasSize(64);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void requestMadeWithOneJacksonIsReplayedWithTheOther(int first) {
		EnqueueOptions options = options("switch from " + first, "default");
		Object payload = payloads().get(0);
		UUID[] job = new UUID[1];
		run(first, (queue) -> job[0] = queue.enqueue("type", payload, options));
		run(5 - first, (queue) -> {
			assertThat(queue.enqueueWithResult("type", payload, options))
				.isEqualTo(new EnqueueResult(job[0], EnqueueOutcome.REPLAYED));
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> queue.enqueue("type", payloads().get(1), options))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(job[0]));
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void jobAcceptedWithOneJacksonRunsWithTheOther(int first) {
		Order order = (Order) payloads().get(0);
		UUID[] job = new UUID[1];
		run(first, (queue) -> job[0] = queue.enqueue("orders.read." + first, order));
		application(5 - first).withBean(Reader.class).run((context) -> {
			JobDetails done = TestJobStore.awaitFinished(context, job[0]);
			assertThat(done.state()).as(done.toString()).isEqualTo(JobState.SUCCEEDED);
			Order read = context.getBean(Reader.class).read.get(0);
			assertThat(read.number()).isEqualTo(order.number());
			assertThat(read.amount()).isEqualByComparingTo(order.amount());
			assertThat(read.at()).isEqualTo(order.at());
			assertThat(read.color()).isEqualTo(order.color());
			assertThat(read.note()).isEqualTo(order.note());
			assertThat(read.without()).isEmpty();
			assertThat(read.lines()).isEqualTo(order.lines());
		});
	}

	private static EnqueueOptions options(String key, String scope) {
		return EnqueueOptions.idempotency(Idempotency.key(key).scope(scope));
	}

	private static String fingerprint(UUID job) {
		return new JdbcTemplate(database.dataSource())
			.queryForObject("select encode(key_fingerprint, 'hex') from workhorse.job where id = ?", String.class, job);
	}

	private static void run(int jackson, Consumer<Queue> use) {
		application(jackson).withPropertyValues("workhorse.worker.enabled=false").run((context) -> {
			assertThat(context.getBean(PayloadCodec.class))
				.isInstanceOf((jackson == 2) ? Jackson2PayloadCodec.class : Jackson3PayloadCodec.class);
			use.accept(context.getBean(Queue.class));
		});
	}

	@SuppressWarnings({ "deprecation", "removal" })
	private static ApplicationContextRunner application(int jackson) {
		ApplicationContextRunner application = TestJobStore.application(database);
		return (jackson == 3) ? application.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
				: application.withClassLoader(new FilteredClassLoader("tools.jackson"))
					.withConfiguration(AutoConfigurations.of(Jackson2AutoConfiguration.class));
	}

	static class Reader {

		private final List<Order> read = new CopyOnWriteArrayList<>();

		@JobHandler("orders.read.2")
		Order two(Order order) {
			this.read.add(order);
			return order;
		}

		@JobHandler("orders.read.3")
		Order three(Order order) {
			return two(order);
		}

	}

	record Order(String number, BigDecimal amount, Instant at, Color color, Optional<String> note,
			Optional<String> without, String nothing, Map<String, Object> map, List<List<Line>> lines) {

	}

	record Line(int number, double price) {

	}

	enum Color {

		DARK_RED, LIGHT_BLUE

	}

}
