package dev.workhorse;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many callers on one key at the same instant: one job, one id, no exception.
 */
class NewKeyRaceIntegrationTests {

	private static CoreDatabase database;

	private static Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		queue = database.queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@EnumSource(KeyMode.class)
	void oneOfManyCallersOfANewKeyIsAcceptedAndTheOthersRepeatIt(KeyMode mode) {
		// A2 (oban-bg/oban#1505, #764), A15 (ratchet-run/ratchet#70), C10
		// (triggerdotdev/trigger.dev#2794)
		String prefix = "new " + mode.label() + " ";
		List<Outcomes<EnqueueResult>> rounds = Race.of(32)
			.rounds(200, (round) -> (thread) -> enqueue(mode, prefix + round));
		assertThat(rounds).hasSize(200).allSatisfy((outcomes) -> assertOneAccepted(mode, outcomes));
		assertThat(jobs(prefix + "%")).isEqualTo(200);
	}

	@Test
	void differentRequestsOfOneNewKeyEndInOneJobAndConflicts() {
		List<Outcomes<UUID>> rounds = Race.of(8)
			.rounds(20, (round) -> (thread) -> queue.enqueue("type", List.of("different-" + round, thread),
					EnqueueOptions.idempotencyKey("different-" + round)));
		assertThat(rounds).allSatisfy((outcomes) -> {
			assertThat(outcomes.values()).hasSize(1);
			assertThat(outcomes.failures()).hasSize(7)
				.allSatisfy((failure) -> assertThat(failure)
					.isInstanceOfSatisfying(EnqueueIdempotencyConflictException.class, (conflict) -> {
						assertThat(conflict.existingJobId()).isEqualTo(outcomes.values().get(0));
						assertThat(conflict.payloadPointers()).containsExactly("/1");
					}));
		});
	}

	@ParameterizedTest
	@EnumSource(KeyMode.class)
	void expiredKeyHitByManyAtOnceGetsOneNewJob(KeyMode mode) {
		// E6 (taskforcesh/bullmq#1799), A12 (bensheldon/good_job#325), C8
		// (windmill-labs/windmill#8299)
		for (int round = 0; round < 20; round++) {
			String key = "expired " + mode.label() + " " + round;
			UUID old = enqueue(mode, key).jobId();
			// a debounced job that never started would hold its key
			database.jdbc()
				.update("update workhorse.job_run set attempt = 1, fence = 1, state = 'ready' where job_id = ?", old);
			database.clock().advance(Duration.ofDays(1));
			Outcomes<EnqueueResult> outcomes = Race.of(16).run(() -> enqueue(mode, key));
			assertOneAccepted(mode, outcomes);
			assertThat(outcomes.values()).extracting(EnqueueResult::jobId).doesNotContain(old);
			assertThat(jobs(key)).isEqualTo(2);
		}
	}

	private static void assertOneAccepted(KeyMode mode, Outcomes<EnqueueResult> outcomes) {
		assertThat(outcomes.failures()).isEmpty();
		List<EnqueueOutcome> decisions = outcomes.values().stream().map(EnqueueResult::outcome).toList();
		assertThat(decisions).hasSize(outcomes.size()).containsOnlyOnce(EnqueueOutcome.ACCEPTED);
		assertThat(decisions).filteredOn((decision) -> decision != EnqueueOutcome.ACCEPTED)
			.containsOnly(repeated(mode));
		assertThat(outcomes.values()).extracting(EnqueueResult::jobId)
			.containsOnly(outcomes.values().get(0).jobId())
			.doesNotContainNull();
	}

	private static EnqueueOutcome repeated(KeyMode mode) {
		return switch (mode) {
			case IDEMPOTENCY -> EnqueueOutcome.REPLAYED;
			case THROTTLE -> EnqueueOutcome.COALESCED;
			case DEBOUNCE -> EnqueueOutcome.REPLACED;
		};
	}

	private static EnqueueResult enqueue(KeyMode mode, String key) {
		return queue.enqueueWithResult("type", key, EnqueueingJvm.options(mode, key));
	}

	private static Long jobs(String payload) {
		return database.jdbc()
			.queryForObject("select count(*) from workhorse.job where payload #>> '{}' like ?", Long.class, payload);
	}

}
