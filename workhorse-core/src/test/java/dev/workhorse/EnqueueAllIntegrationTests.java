package dev.workhorse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.StatementCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Batches: all or nothing, in order, in a constant number of statements.
 */
class EnqueueAllIntegrationTests {

	private static final Duration WINDOW = Duration.ofMinutes(10);

	private static final AtomicInteger RUNS = new AtomicInteger();

	private static CoreDatabase database;

	private final String run = "batch-" + RUNS.incrementAndGet() + "-";

	private Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.jdbc().execute("create table orders (id text)");
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void createQueue() {
		this.queue = database.queue();
	}

	@Test
	void emptyBatchTouchesNothing() {
		StatementCounter counter = StatementCounter.on(database.dataSource());
		Queue counted = Workhorse.builder(counter.dataSource()).build().queue();
		assertThat(counted.enqueueAll(List.of())).isEmpty();
		assertThat(counter.statements()).isZero();
	}

	@Test
	void batchOverTheBoundIsRefusedBeforeAnyWrite() {
		// B6
		long before = database.count("job");
		List<EnqueueRequest> requests = keyed(IntStream.rangeClosed(0, Bounds.MAX_BATCH).toArray());
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.queue.enqueueAll(requests))
			.withMessageContaining("'requests' must be at most 1,000 but was 1,001");
		assertThat(database.count("job")).isEqualTo(before);
	}

	@Test
	void invalidRequestIsNamedByItsIndex() {
		List<EnqueueRequest> requests = List.of(new EnqueueRequest("type", 1), new EnqueueRequest("type", Double.NaN));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.queue.enqueueAll(requests))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("requests[1].payload"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 1_000 })
	void numberOfStatementsDoesNotGrowWithTheBatch(int size) {
		StatementCounter counter = StatementCounter.on(database.dataSource());
		Queue counted = Workhorse.builder(counter.dataSource()).build().queue();
		List<EnqueueRequest> requests = keyed(IntStream.range(0, size).toArray());
		assertThat(counted.enqueueAll(requests)).extracting(EnqueueResult::outcome)
			.containsOnly(EnqueueOutcome.ACCEPTED);
		assertThat(counter.statements()).as(counter.sql().toString()).isEqualTo(3);
		counter.reset();
		assertThat(counted.enqueueAll(requests)).extracting(EnqueueResult::outcome)
			.containsOnly(EnqueueOutcome.REPLAYED);
		assertThat(counter.statements()).isEqualTo(3);
	}

	@Test
	void thousandWithTenHeldKeysAreAcceptedButForThose() {
		// B5 (oban-bg/oban#388)
		List<EnqueueResult> held = this.queue.enqueueAll(keyed(IntStream.range(0, 10).map((i) -> i * 100).toArray()));
		List<EnqueueResult> all = this.queue.enqueueAll(keyed(IntStream.range(0, 1_000).toArray()));
		assertThat(all).hasSize(1_000);
		for (int i = 0; i < 1_000; i++) {
			boolean replayed = i % 100 == 0;
			assertThat(all.get(i).outcome()).isEqualTo((replayed) ? EnqueueOutcome.REPLAYED : EnqueueOutcome.ACCEPTED);
			if (replayed) {
				assertThat(all.get(i).jobId()).isEqualTo(held.get(i / 100).jobId());
			}
		}
	}

	@Test
	void allModesMixAndAnswersComeInTheOrderOfTheRequests() {
		List<EnqueueRequest> requests = List.of(new EnqueueRequest("type", 0),
				new EnqueueRequest("type", 1, EnqueueOptions.debounce(Debounce.reset(this.run + "d", WINDOW))),
				new EnqueueRequest("type", 2, EnqueueOptions.idempotencyKey(this.run + "i").tags("b", "a")),
				new EnqueueRequest("type", 3, EnqueueOptions.throttle(Throttle.key(this.run + "t", WINDOW))),
				new EnqueueRequest("type", 4));
		List<EnqueueResult> first = this.queue.enqueueAll(requests);
		assertThat(first).extracting(EnqueueResult::outcome).containsOnly(EnqueueOutcome.ACCEPTED);
		for (int i = 0; i < 5; i++) {
			assertThat(payload(first.get(i).jobId())).isEqualTo(Integer.toString(i));
		}
		List<EnqueueResult> again = this.queue.enqueueAll(requests);
		assertThat(again).extracting(EnqueueResult::outcome)
			.containsExactly(EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLACED, EnqueueOutcome.REPLAYED,
					EnqueueOutcome.COALESCED, EnqueueOutcome.ACCEPTED);
		assertThat(again.subList(1, 4)).extracting(EnqueueResult::jobId)
			.isEqualTo(first.subList(1, 4).stream().map(EnqueueResult::jobId).toList());
	}

	@Test
	void requestsOfABatchEqualSingleOnes() {
		// B4 (triggerdotdev/trigger.dev#4819)
		EnqueueOptions options = EnqueueOptions.idempotencyKey(this.run + "same")
			.queue("q")
			.priority(3)
			.concurrencyKey("group")
			.tags("z", "a,b", "ü")
			.maxAttempts(2)
			.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1)))
			.executionTimeout(Duration.ofSeconds(9));
		UUID single = this.queue.enqueue("type", "payload", options);
		List<EnqueueRequest> requests = List.of(new EnqueueRequest("type", "payload", options),
				new EnqueueRequest("type", 1));
		assertThat(this.queue.enqueueAll(requests).get(0))
			.isEqualTo(new EnqueueResult(single, EnqueueOutcome.REPLAYED));
		StoredState.FAILED.bringAbout(database.jdbc(), single);
		assertThat(this.queue.enqueueAll(requests).get(0))
			.isEqualTo(new EnqueueResult(single, EnqueueOutcome.REPLAYED));
	}

	@Test
	void sameKeyWithEqualContentIsOneJob() {
		// B1
		EnqueueRequest twice = new EnqueueRequest("type", 1, EnqueueOptions.idempotencyKey(this.run + "k"));
		EnqueueRequest other = new EnqueueRequest("type", 2, EnqueueOptions.idempotencyKey(this.run + "k2"));
		List<EnqueueResult> results = this.queue.enqueueAll(List.of(twice, other, twice));
		assertThat(results).extracting(EnqueueResult::outcome)
			.containsExactly(EnqueueOutcome.ACCEPTED, EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLAYED);
		assertThat(results.get(2).jobId()).isEqualTo(results.get(0).jobId());
	}

	@Test
	void sameDebouncedKeyIsOneJobWithTheLastPayload() {
		List<EnqueueRequest> requests = new ArrayList<>();
		for (int i = 1; i <= 3; i++) {
			requests
				.add(new EnqueueRequest("type", i, EnqueueOptions.debounce(Debounce.reset(this.run + "d", WINDOW))));
		}
		List<EnqueueResult> results = this.queue.enqueueAll(requests);
		assertThat(results).extracting(EnqueueResult::outcome)
			.containsExactly(EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLACED, EnqueueOutcome.REPLACED);
		assertThat(results).extracting(EnqueueResult::jobId).containsOnly(results.get(0).jobId());
		assertThat(payload(results.get(0).jobId())).isEqualTo("3");
	}

	@Test
	void preserveAfterResetInOneBatchLeavesTheTimeOfTheReset() {
		Debounce.Reset held = Debounce.reset(this.run + "d", WINDOW);
		UUID job = this.queue.enqueue("type", 0, EnqueueOptions.debounce(held));
		Debounce reset = Debounce.reset(this.run + "d", Duration.ofMinutes(20)).maxDelay(Duration.ofMinutes(15));
		Debounce preserve = Debounce.preserve(this.run + "d", Duration.ofMinutes(60));
		this.queue.enqueueAll(List.of(new EnqueueRequest("type", 1, EnqueueOptions.debounce(reset)),
				new EnqueueRequest("type", 2, EnqueueOptions.debounce(preserve))));
		assertThat(payload(job)).isEqualTo("2");
		assertThat(database.jdbc().queryForObject("""
				select round(extract(epoch from job_run.run_at - job.created_at) / 60)
				from workhorse.job join workhorse.job_run on job_id = id where id = ?
				""", Integer.class, job)).isEqualTo(15);
	}

	@Test
	void oneKeyInTwoModesIsRefusedUpFront() {
		long before = database.count("job");
		List<EnqueueRequest> requests = List.of(
				new EnqueueRequest("type", 1, EnqueueOptions.idempotencyKey(this.run + "k")),
				new EnqueueRequest("type", 1, EnqueueOptions.throttle(Throttle.key(this.run + "k", WINDOW))));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.queue.enqueueAll(requests))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("requests[1].options"));
		assertThat(database.count("job")).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void conflictLeavesNothingOfTheBatchAndKeepsWhatTheCallerWroteBefore(boolean withinBatch) {
		if (!withinBatch) {
			this.queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.run + "k"));
		}
		List<EnqueueRequest> requests = List.of(new EnqueueRequest("type", "new"),
				new EnqueueRequest("type", "new", EnqueueOptions.idempotencyKey(this.run + "fresh")),
				new EnqueueRequest("type", 1, EnqueueOptions.idempotencyKey(this.run + "k")),
				new EnqueueRequest("type", 2, EnqueueOptions.idempotencyKey(this.run + "k")));
		long before = database.count("job");
		database.transaction().executeWithoutResult((status) -> {
			database.jdbc().update("insert into orders values (?)", this.run);
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> this.queue.enqueueAll(requests))
				.satisfies((ex) -> {
					assertThat(ex.index()).isEqualTo(3);
					assertThat(ex.fields()).containsExactly("payload");
					assertThat(ex).hasMessageStartingWith("Request 3 of the batch");
				});
			this.queue.enqueue("type", "after");
		});
		assertThat(database.count("job")).isEqualTo(before + 1);
		assertThat(database.jdbc().queryForObject("select count(*) from orders where id = ?", Integer.class, this.run))
			.isOne();
		assertThat(this.queue.enqueueWithResult("type", "other", EnqueueOptions.idempotencyKey(this.run + "fresh"))
			.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void conflictWithoutATransactionLeavesNothingEither() {
		this.queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.run + "k"));
		long before = database.count("job");
		List<EnqueueRequest> requests = List.of(new EnqueueRequest("type", "new"),
				new EnqueueRequest("type", 2, EnqueueOptions.idempotencyKey(this.run + "k")));
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> this.queue.enqueueAll(requests));
		assertThat(database.count("job")).isEqualTo(before);
	}

	@Test
	void oppositeBatchesDoNotDeadlock() throws Exception {
		for (int round = 0; round < 500; round++) {
			int[] numbers = IntStream.range(round * 8, round * 8 + 8).toArray();
			List<EnqueueRequest> forward = keyed(numbers);
			List<EnqueueRequest> backward = new ArrayList<>(forward);
			Collections.reverse(backward);
			Race.Outcomes<List<EnqueueResult>> outcomes = Race.of(2)
				.run((thread) -> this.queue.enqueueAll((thread == 0) ? forward : backward));
			assertThat(outcomes.failures()).isEmpty();
			List<EnqueueResult> first = outcomes.values().get(0);
			List<EnqueueResult> second = new ArrayList<>(outcomes.values().get(1));
			Collections.reverse(second);
			for (int i = 0; i < first.size(); i++) {
				assertThat(second.get(i).jobId()).isEqualTo(first.get(i).jobId());
				assertThat(List.of(first.get(i).outcome(), second.get(i).outcome()))
					.containsExactlyInAnyOrder(EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLAYED);
			}
		}
	}

	private List<EnqueueRequest> keyed(int[] numbers) {
		return IntStream.of(numbers)
			.mapToObj((i) -> new EnqueueRequest("type", i, EnqueueOptions.idempotencyKey(this.run + i)))
			.toList();
	}

	private static String payload(UUID job) {
		return database.jdbc()
			.queryForObject("select payload::text from workhorse.job where id = ?", String.class, job);
	}

}
