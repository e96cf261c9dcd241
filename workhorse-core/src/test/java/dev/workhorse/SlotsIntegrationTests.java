package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.WalMeter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Throttle and debounce by fixed slots of time.
 */
class SlotsIntegrationTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	/** In the middle of a minute. */
	private static final Instant START = Instant.parse("2026-06-01T12:00:30Z");

	private static final Instant NEXT_MINUTE = Instant.parse("2026-06-01T12:01:00Z");

	private static final AtomicInteger TASKS = new AtomicInteger();

	private static CoreDatabase database;

	/** Slots without a key belong to the task, so each test has its own. */
	private final String task = "task-" + TASKS.incrementAndGet();

	private Conductor conductor;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void stopTheClock() {
		database.clock().reset();
		database.clock().freezeAt(START);
		this.conductor = database.builder().build().conductor();
	}

	@ParameterizedTest(name = "{0}, dedupe key {1}, {2} in the same slot: {3}; in the next: {4}")
	@CsvSource(nullValues = "-", textBlock = """
			# use,    key, first execution,     same slot, next slot
			throttle, -,   READY,               THROTTLED, CREATED
			throttle, k,   READY,               THROTTLED, CREATED
			throttle, -,   RUNNING,             THROTTLED, CREATED
			throttle, k,   RUNNING,             THROTTLED, CREATED
			throttle, k,   IN_RETRY_BACKOFF,    THROTTLED, CREATED
			throttle, k,   SUCCEEDED,           CREATED,   CREATED
			throttle, -,   FAILED,              CREATED,   CREATED
			throttle, k,   CANCELLED,           CREATED,   CREATED
			throttle, k,   CANCELLED_UNSTARTED, CREATED,   CREATED
			debounce, -,   SCHEDULED_TO_RUN,    UPDATED,   CREATED
			debounce, k,   SCHEDULED_TO_RUN,    UPDATED,   CREATED
			debounce, k,   SUCCEEDED,           CREATED,   CREATED
			debounce, -,   FAILED,              CREATED,   CREATED
			debounce, k,   CANCELLED,           CREATED,   CREATED
			debounce, k,   CANCELLED_UNSTARTED, CREATED,   CREATED
			debounce, k,   RUN_NOW,             CREATED,   CREATED
			""")
	void laterInvokeIsDecidedByTheSlotAndTheExecution(String use, @Nullable String key, String state,
			InvokeOutcome sameSlot, InvokeOutcome nextSlot) {
		// C1: a throttled repeat never touches the running job
		InvokeOptions options = options(use, MINUTE, key);
		UUID first = created(1, options);
		bringAbout(state, first);
		String before = String.valueOf(database.snapshot(first));
		database.clock().freezeAt(NEXT_MINUTE.minusMillis(1));
		InvokeResult later = invoke(2, options);
		assertThat(later.outcome()).isEqualTo(sameSlot);
		switch (sameSlot) {
			case THROTTLED -> {
				assertThat(later.jobId()).isNull();
				assertThat(String.valueOf(database.snapshot(first))).isEqualTo(before);
			}
			case UPDATED -> {
				assertThat(later.jobId()).isEqualTo(first);
				assertThat(database.payload(first)).isEqualTo("2");
				assertThat(database.runAt(first)).isEqualTo(NEXT_MINUTE);
			}
			default -> assertThat(later.jobId()).isNotNull().isNotEqualTo(first);
		}
		database.clock().freezeAt(NEXT_MINUTE);
		InvokeResult next = invoke(3, options);
		assertThat(next.outcome()).isEqualTo(nextSlot);
		assertThat(next.jobId()).isNotIn(first, later.jobId());
		assertThat(database.payload(Objects.requireNonNull(next.jobId()))).isEqualTo("3");
	}

	private static InvokeOptions options(String use, Duration slot, @Nullable String key) {
		if (use.equals("throttle")) {
			return (key != null) ? InvokeOptions.throttle(slot, key) : InvokeOptions.throttle(slot);
		}
		return (key != null) ? InvokeOptions.debounce(slot, key) : InvokeOptions.debounce(slot);
	}

	private static void bringAbout(String state, UUID job) {
		Jobs jobs = database.builder().build().jobs();
		switch (state) {
			case "SCHEDULED_TO_RUN" -> {
			}
			case "CANCELLED_UNSTARTED" -> jobs.cancel(job, "test", "before it ran");
			case "RUN_NOW" -> jobs.runNow(job, "test", "at once");
			default -> StoredState.valueOf(state).bringAbout(database.jdbc(), job);
		}
	}

	@Test
	void debouncedExecutionRunsAtTheStartOfTheNextSlotWithTheLastPayload() {
		// C3 (timgit/pg-boss#353)
		UUID job = created(1, InvokeOptions.debounce(MINUTE));
		for (int i = 2; i <= 6; i++) {
			database.clock().advance(Duration.ofSeconds(4));
			assertThat(invoke(i, InvokeOptions.debounce(MINUTE).priority(i)))
				.isEqualTo(new InvokeResult(job, InvokeOutcome.UPDATED));
		}
		assertThat(database.payload(job)).isEqualTo("6");
		assertThat(database.runAt(job)).isEqualTo(NEXT_MINUTE);
		assertThat(database.jdbc().queryForMap("select state, priority from workhorse.job_run where job_id = ?", job))
			.containsEntry("state", "scheduled")
			.containsEntry("priority", 6);
	}

	@Test
	void slotsAreAlignedToTheEpochWhateverTheirLength() {
		// 7 s does not divide a minute: 1780315230 / 7 = 254330747.1…
		UUID job = created(1, InvokeOptions.debounce(Duration.ofSeconds(7)));
		long slot = Math.floorDiv(START.getEpochSecond(), 7) * 7;
		assertThat(database.runAt(job)).isEqualTo(Instant.ofEpochSecond(slot + 7));
	}

	@Test
	void slotLengthsKeysTasksAndQueuesDoNotInterfere() {
		// C15 (timgit/pg-boss#507)
		List<InvokeOptions> all = List.of(InvokeOptions.throttle(MINUTE),
				InvokeOptions.throttle(MINUTE.multipliedBy(10)), InvokeOptions.throttle(MINUTE, "a"),
				InvokeOptions.throttle(MINUTE, "b"), InvokeOptions.throttle(MINUTE).queue("other"),
				InvokeOptions.debounce(MINUTE), InvokeOptions.debounce(MINUTE, "a"), InvokeOptions.dedupeKey("a"));
		List<InvokeResult> first = all.stream().map((options) -> invoke(1, options)).toList();
		assertThat(first).extracting(InvokeResult::outcome).containsOnly(InvokeOutcome.CREATED);
		assertThat(this.conductor.invokeWithResult(this.task + "-other", 1, InvokeOptions.throttle(MINUTE)).outcome())
			.isEqualTo(InvokeOutcome.CREATED);
		assertThat(all.stream().map((options) -> invoke(2, options).outcome())).containsExactly(InvokeOutcome.THROTTLED,
				InvokeOutcome.THROTTLED, InvokeOutcome.THROTTLED, InvokeOutcome.THROTTLED, InvokeOutcome.THROTTLED,
				InvokeOutcome.UPDATED, InvokeOutcome.UPDATED, InvokeOutcome.UPDATED);
	}

	@Test
	void plainInvokeNeverTouchesASlottedExecution() {
		UUID throttled = created(1, InvokeOptions.throttle(MINUTE, "k"));
		UUID debounced = created(1, InvokeOptions.debounce(MINUTE, "k"));
		StoredState.RUNNING.bringAbout(database.jdbc(), throttled);
		String before = database.snapshot(throttled) + " " + database.snapshot(debounced);
		UUID plain = created(2, InvokeOptions.dedupeKey("k"));
		assertThat(invoke(3, InvokeOptions.dedupeKey("k"))).isEqualTo(new InvokeResult(plain, InvokeOutcome.UPDATED));
		assertThat(database.snapshot(throttled) + " " + database.snapshot(debounced)).isEqualTo(before);
	}

	@Test
	void executionKeptFromAnEarlierSlotBlocksNothing() {
		UUID pending = created(1, InvokeOptions.debounce(MINUTE, "k"));
		UUID running = created(1, InvokeOptions.throttle(MINUTE, "k"));
		StoredState.RUNNING.bringAbout(database.jdbc(), running);
		database.clock().advance(MINUTE);
		UUID next = created(2, InvokeOptions.debounce(MINUTE, "k"));
		created(2, InvokeOptions.throttle(MINUTE, "k"));
		assertThat(database.payload(pending)).as("still runs with its own payload").isEqualTo("1");
		assertThat(database.runAt(next)).isEqualTo(NEXT_MINUTE.plus(MINUTE));
	}

	@Test
	void droppedInvokeWritesNothing() {
		created(1, InvokeOptions.throttle(MINUTE));
		invoke(2, InvokeOptions.throttle(MINUTE));
		long written = WalMeter.on(database.dataSource()).minimumOf(5, () -> invoke(3, InvokeOptions.throttle(MINUTE)));
		assertThat(written).isZero();
	}

	@Test
	void batchKeepsTheFirstOfAThrottledSlotAndTheLastOfADebouncedOne() {
		List<InvokeResult> results = this.conductor.invokeAll(IntStream.range(0, 4)
			.mapToObj((i) -> new InvokeRequest(this.task, i,
					(i < 2) ? InvokeOptions.throttle(MINUTE) : InvokeOptions.debounce(MINUTE)))
			.toList());
		assertThat(results).extracting(InvokeResult::outcome)
			.containsExactly(InvokeOutcome.CREATED, InvokeOutcome.THROTTLED, InvokeOutcome.CREATED,
					InvokeOutcome.UPDATED);
		assertThat(results.get(1).jobId()).isNull();
		assertThat(results.get(3).jobId()).isEqualTo(results.get(2).jobId());
		assertThat(database.payload(Objects.requireNonNull(results.get(0).jobId()))).isEqualTo("0");
		assertThat(database.payload(Objects.requireNonNull(results.get(2).jobId()))).isEqualTo("3");
	}

	@Test
	void oneOfManyInvokesAtOnceGetsTheSlot() {
		// A12 (bensheldon/good_job#325)
		for (String use : List.of("throttle", "debounce")) {
			List<Race.Outcomes<InvokeResult>> rounds = Race.of(16)
				.rounds(10, (round) -> (thread) -> invoke(thread, options(use, MINUTE, "race-" + round)));
			for (Race.Outcomes<InvokeResult> round : rounds) {
				assertThat(round.failures()).isEmpty();
				assertThat(round.values()).filteredOn((result) -> result.outcome() == InvokeOutcome.CREATED).hasSize(1);
				assertThat(round.values()).filteredOn((result) -> result.jobId() != null)
					.extracting(InvokeResult::jobId)
					.containsOnly(round.values()
						.stream()
						.filter((result) -> result.outcome() == InvokeOutcome.CREATED)
						.findFirst()
						.orElseThrow()
						.jobId());
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "throttle", "debounce" })
	void slotIsJudgedAfterTheWaitForAnotherTransaction(String use) throws Exception {
		InvokeOptions options = options(use, MINUTE, "boundary");
		CountDownLatch crossed = new CountDownLatch(1);
		CountDownLatch invoked = new CountDownLatch(1);
		CompletableFuture<Void> first = CompletableFuture
			.runAsync(() -> database.transaction().executeWithoutResult((status) -> {
				created(1, options);
				invoked.countDown();
				await(crossed);
				status.setRollbackOnly();
			}));
		invoked.await();
		CompletableFuture<InvokeResult> second = CompletableFuture.supplyAsync(() -> invoke(2, options));
		database.awaitLockWaiters(1);
		database.clock().freezeAt(NEXT_MINUTE.plusSeconds(1));
		crossed.countDown();
		first.join();
		InvokeResult created = second.join();
		assertThat(created.outcome()).isEqualTo(InvokeOutcome.CREATED);
		InvokeOutcome later = (use.equals("throttle")) ? InvokeOutcome.THROTTLED : InvokeOutcome.UPDATED;
		assertThat(invoke(3, options).outcome()).as("it belongs to the slot it was created in").isEqualTo(later);
		if (use.equals("debounce")) {
			assertThat(database.runAt(Objects.requireNonNull(created.jobId()))).isEqualTo(NEXT_MINUTE.plus(MINUTE));
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private UUID created(int payload, InvokeOptions options) {
		InvokeResult result = invoke(payload, options);
		assertThat(result.outcome()).isEqualTo(InvokeOutcome.CREATED);
		return Objects.requireNonNull(result.jobId());
	}

	private InvokeResult invoke(int payload, InvokeOptions options) {
		return this.conductor.invokeWithResult(this.task, payload, options);
	}

}
