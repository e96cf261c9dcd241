package dev.workhorse;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

	@Test
	void oneOfManyCallersOfANewKeyIsAcceptedAndTheOthersReplay() {
		// A2 (oban-bg/oban#1505, #764), A15 (ratchet-run/ratchet#70)
		List<Outcomes<EnqueueResult>> rounds = Race.of(32).rounds(100, (round) -> (thread) -> enqueue("new-" + round));
		assertThat(rounds).hasSize(100).allSatisfy(NewKeyRaceIntegrationTests::assertOneAccepted);
		assertThat(database.jdbc()
			.queryForObject("select count(*) from workhorse.job where payload #>> '{}' like 'new-%'", Long.class))
			.isEqualTo(100);
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

	@Test
	void expiredKeyHitByManyAtOnceGetsOneNewJob() {
		// E6 (taskforcesh/bullmq#1799), A12 (bensheldon/good_job#325)
		for (int round = 0; round < 20; round++) {
			String key = "expired-" + round;
			UUID old = enqueue(key).jobId();
			database.clock().advance(Duration.ofDays(1));
			Outcomes<EnqueueResult> outcomes = Race.of(16).run(() -> enqueue(key));
			assertOneAccepted(outcomes);
			assertThat(outcomes.values()).extracting(EnqueueResult::jobId).doesNotContain(old);
			assertThat(database.jdbc()
				.queryForObject("select count(*) from workhorse.job where payload #>> '{}' = ?", Long.class, key))
				.isEqualTo(2);
		}
	}

	private static void assertOneAccepted(Outcomes<EnqueueResult> outcomes) {
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).hasSize(outcomes.size())
			.extracting(EnqueueResult::outcome)
			.containsOnlyOnce(EnqueueOutcome.ACCEPTED);
		assertThat(outcomes.values()).extracting(EnqueueResult::jobId)
			.containsOnly(outcomes.values().get(0).jobId())
			.doesNotContainNull();
	}

	private static EnqueueResult enqueue(String key) {
		return queue.enqueueWithResult("type", key, EnqueueOptions.idempotencyKey(key));
	}

}
