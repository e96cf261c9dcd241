package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.WalMeter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Throttle: the first request of a window is accepted, equivalent ones are coalesced.
 */
class ThrottleIntegrationTests {

	private static final Duration WINDOW = Duration.ofSeconds(60);

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final String key = "throttle-key-" + KEYS.incrementAndGet();

	private Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void realTime() {
		database.clock().reset();
		this.queue = database.queue();
	}

	@ParameterizedTest
	@EnumSource
	void equivalentRequestWithinTheWindowIsCoalescedWhateverTheJobDoes(StoredState state) {
		EnqueueResult first = request("payload", WINDOW);
		state.bringAbout(database.jdbc(), first.jobId());
		Map<String, @Nullable Object> before = database.snapshot(first.jobId());
		EnqueueResult again = request("payload", WINDOW);
		assertThat(again).isEqualTo(new EnqueueResult(first.jobId(), EnqueueOutcome.COALESCED));
		assertThat(database.snapshot(first.jobId())).isEqualTo(before);
	}

	@Test
	void differentRequestWithinTheWindowIsAConflict() {
		EnqueueResult first = request("payload", WINDOW);
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class).isThrownBy(() -> request("other", WINDOW))
			.satisfies((ex) -> {
				assertThat(ex.existingJobId()).isEqualTo(first.jobId());
				assertThat(ex.fields()).containsExactly("payload");
				assertThat(ex.index()).isNull();
			});
	}

	@Test
	void anotherWindowLengthIsAConflictThatNamesTheWindow() {
		// C15 (timgit/pg-boss#507)
		request("payload", WINDOW);
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> request("payload", WINDOW.multipliedBy(10)))
			.satisfies((ex) -> assertThat(ex.fields()).containsExactly("window"));
	}

	@Test
	void requestAfterTheWindowIsAcceptedAndLeavesTheOldJobAlone() {
		EnqueueResult first = request("payload", WINDOW);
		Map<String, @Nullable Object> run = database.snapshot(first.jobId());
		database.clock().advance(WINDOW);
		EnqueueResult next = request("different", WINDOW);
		assertThat(next.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(next.jobId()).isNotEqualTo(first.jobId());
		assertThat(database.snapshot(first.jobId()).get("run")).isEqualTo(run.get("run"));
	}

	@Test
	void windowCountsFromAcceptanceNotFromTheTimeOfRunning() {
		// C13 (riverqueue/river#715)
		Instant later = Instant.now().plusSeconds(3_600);
		EnqueueOptions options = EnqueueOptions.throttle(Throttle.key(this.key, WINDOW)).runAt(later);
		EnqueueResult first = this.queue.enqueueWithResult("type", "payload", options);
		database.clock().advance(WINDOW.minusMillis(500));
		assertThat(this.queue.enqueueWithResult("type", "payload", options).outcome())
			.isEqualTo(EnqueueOutcome.COALESCED);
		database.clock().advance(Duration.ofSeconds(1));
		EnqueueResult next = this.queue.enqueueWithResult("type", "payload", options);
		assertThat(next.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(next.jobId()).isNotEqualTo(first.jobId());
	}

	@Test
	void coalescedRequestWritesNothing() {
		Queue untouched = database.queue();
		untouched.enqueue("type", "payload", EnqueueOptions.throttle(Throttle.key(this.key, WINDOW)));
		WalMeter meter = WalMeter.on(database.dataSource());
		long bytes = meter.minimumOf(5,
				() -> untouched.enqueue("type", "payload", EnqueueOptions.throttle(Throttle.key(this.key, WINDOW))));
		assertThat(bytes).isZero();
	}

	@Test
	void racingFirstRequestsMakeOneJob() throws Exception {
		Race.Outcomes<EnqueueResult> outcomes = Race.of(32).run(() -> request("payload", WINDOW));
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).extracting(EnqueueResult::jobId)
			.hasSize(32)
			.containsOnly(outcomes.values().get(0).jobId());
		assertThat(outcomes.values()).extracting(EnqueueResult::outcome)
			.filteredOn((outcome) -> outcome == EnqueueOutcome.ACCEPTED)
			.hasSize(1);
	}

	@Test
	void veryShortWindowNeverRunsMoreThanItAccepts() {
		// C17 (sidekiq-debounce PR#8)
		database.clock().reset();
		long accepted = 0;
		for (int i = 0; i < 100; i++) {
			if (request("payload", Duration.ofMillis(1)).outcome() == EnqueueOutcome.ACCEPTED) {
				accepted++;
			}
		}
		Long stored = database.jdbc()
			.queryForObject("select count(*) from workhorse.job where key_scope = ?", Long.class, this.key);
		assertThat(accepted).isPositive().isEqualTo(stored);
	}

	private EnqueueResult request(Object payload, Duration window) {
		return this.queue.enqueueWithResult("type", payload,
				EnqueueOptions.throttle(Throttle.key(this.key, window).scope(this.key)));
	}

}
