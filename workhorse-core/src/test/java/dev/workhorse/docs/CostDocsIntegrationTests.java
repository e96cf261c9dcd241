package dev.workhorse.docs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.workhorse.Debounce;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.StatementCounter;
import dev.workhorse.testsupport.TestDatabase;
import dev.workhorse.testsupport.WalMeter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * What each operation costs the database: the table in {@code docs/performance.md} is
 * what is measured here, on a quiet server, where it does not depend on the machine.
 */
class CostDocsIntegrationTests {

	private static final Map<String, String> QUIET = Map.of("autovacuum", "off", "full_page_writes", "off",
			"checkpoint_timeout", "1h");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| ([\\d.]+) \\| ([\\d,]+) \\|$");

	private static final int TIMES = 100;

	private static final int BATCH = 1_000;

	private static final int TRIES = 2;

	private static final Duration LONG = Duration.ofDays(1);

	private static final AtomicInteger keys = new AtomicInteger();

	private static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();

	static {
		OPERATIONS.put("enqueue, no key", new Operation(1, () -> queue().enqueue("cost", payload())));
		OPERATIONS.put("enqueue, new key",
				new Operation(1, () -> queue().enqueue("cost", payload(), EnqueueOptions.idempotencyKey(newKey()))));
		OPERATIONS.put("enqueue, replay",
				new Operation(1, () -> queue().enqueue("cost", 1, EnqueueOptions.idempotencyKey("held"))));
		OPERATIONS.put("enqueue, conflict", new Operation(1, CostDocsIntegrationTests::conflict));
		OPERATIONS.put("throttle, coalesced", new Operation(1,
				() -> queue().enqueue("cost", 1, EnqueueOptions.throttle(Throttle.key("throttled", LONG)))));
		OPERATIONS.put("debounce, replaced", new Operation(1,
				() -> queue().enqueue("cost", payload(), EnqueueOptions.debounce(Debounce.reset("debounced", LONG)))));
		OPERATIONS.put("invoke, created",
				new Operation(1, () -> conductor().invoke("cost", payload(), InvokeOptions.dedupeKey(newKey()))));
		OPERATIONS.put("invoke, updated",
				new Operation(1, () -> conductor().invoke("cost", payload(), InvokeOptions.dedupeKey("invoked"))));
		OPERATIONS.put("enqueueAll of 1,000 new keys, each", new Operation(BATCH, CostDocsIntegrationTests::batch));
	}

	private static OwnPostgresServer server;

	private static TestDatabase database;

	private static StatementCounter counter;

	private static WalMeter meter;

	private static Workhorse workhorse;

	@BeforeAll
	static void start() {
		server = PostgresServer.startOwn(QUIET);
		database = TestDatabase.createOn(server.server(), "cost",
				(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
		counter = StatementCounter.on(database.dataSource());
		meter = WalMeter.on(database.dataSource());
		workhorse = Workhorse.builder(counter.dataSource()).build();
		queue().enqueue("cost", 1, EnqueueOptions.idempotencyKey("held"));
	}

	@AfterAll
	static void stop() {
		database.close();
		server.close();
	}

	static Stream<String> operations() {
		return OPERATIONS.keySet().stream();
	}

	@ParameterizedTest
	@MethodSource("operations")
	void operationCostsWhatTheDocsSay(String name) {
		Operation operation = OPERATIONS.get(name);
		int times = (operation.jobs() == 1) ? TIMES : 1;
		Runnable repeated = () -> IntStream.range(0, times).forEach((i) -> operation.run().run());
		repeated.run();
		double jobs = (double) times * operation.jobs();
		counter.reset();
		repeated.run();
		double statements = counter.statements() / jobs;
		long wal = Math.round(meter.minimumOf(TRIES, repeated) / jobs);
		String row = String.format(Locale.ROOT, "| %s | %s | %,d |", name,
				(statements < 0.1) ? "%.3f".formatted(statements) : "%.0f".formatted(statements), wal);
		Matcher documented = documented(name);
		assertThat(documented).as("a row in docs/performance.md, such as: %s", row).isNotNull();
		assertThat(statements).as(row).isEqualTo(Double.parseDouble(documented.group(2)));
		long bytes = Long.parseLong(documented.group(3).replace(",", ""));
		// versions of PostgreSQL differ a little, as does where pages are split
		assertThat(wal).as(row).isCloseTo(bytes, withinPercentage((bytes > 0) ? 10 : 0));
	}

	@Test
	void docsNameNoOtherOperation() {
		assertThat(ROW.matcher(page()).results().map((row) -> row.group(1)))
			.containsExactlyElementsOf(OPERATIONS.keySet());
	}

	private static Matcher documented(String name) {
		Matcher row = ROW.matcher(page());
		while (row.find()) {
			if (row.group(1).equals(name)) {
				return row;
			}
		}
		return null;
	}

	private static String page() {
		String page = Docs.page("performance.md");
		int start = page.indexOf("## What an operation costs");
		return page.substring(start, page.indexOf("\n## ", start + 1));
	}

	private static Queue queue() {
		return workhorse.queue();
	}

	private static Conductor conductor() {
		return workhorse.conductor();
	}

	private static String newKey() {
		return "key-%06d".formatted(keys.incrementAndGet());
	}

	private static Map<String, String> payload() {
		return Map.of("number", "%06d".formatted(keys.get()), "text", "x".repeat(170));
	}

	private static void conflict() {
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> queue().enqueue("cost", 2, EnqueueOptions.idempotencyKey("held")));
	}

	private static void batch() {
		List<EnqueueRequest> requests = IntStream.range(0, BATCH)
			.mapToObj((i) -> new EnqueueRequest("cost", payload(), EnqueueOptions.idempotencyKey(newKey())))
			.toList();
		queue().enqueueAll(requests);
	}

	/**
	 * What is measured.
	 *
	 * @param jobs how many jobs it concerns
	 * @param run does it once
	 */
	private record Operation(int jobs, Runnable run) {

	}

}
