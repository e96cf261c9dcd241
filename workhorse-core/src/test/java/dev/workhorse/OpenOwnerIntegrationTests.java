package dev.workhorse;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transaction that has enqueued a key is still open: others wait for its end.
 */
class OpenOwnerIntegrationTests {

	private static final int WAITERS = 5;

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue queue;

	private final String key = "open-owner-" + KEYS.incrementAndGet();

	private final CountDownLatch enqueued = new CountDownLatch(1);

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.clock();
		queue = database.queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void waitersReplayWhatTheOwnerCommits(boolean joined) {
		// A5: those in a transaction of their own see no 25P02 either
		List<EnqueueResult> results = race(true, joined);
		UUID owner = results.get(0).jobId();
		assertThat(results.subList(1, results.size())).hasSize(WAITERS)
			.containsOnly(new EnqueueResult(owner, EnqueueOutcome.REPLAYED));
		assertThat(stored()).containsExactly(owner);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void exactlyOneWaiterIsAcceptedWhenTheOwnerRollsBack(boolean joined) {
		// A1 (oban-bg/oban#1087, #1093)
		List<EnqueueResult> results = race(false, joined);
		List<EnqueueResult> waiters = results.subList(1, results.size());
		assertThat(waiters).extracting(EnqueueResult::outcome).containsOnlyOnce(EnqueueOutcome.ACCEPTED);
		assertThat(waiters).extracting(EnqueueResult::jobId)
			.containsOnly(waiters.get(0).jobId())
			.doesNotContain(results.get(0).jobId());
		assertThat(stored()).containsExactly(waiters.get(0).jobId());
	}

	@Test
	void ttlOfAWaiterCountsFromTheEndOfItsWait() {
		// Expiry is judged by the clock read after any wait for the key
		Duration ttl = Duration.ofMinutes(10);
		EnqueueOptions options = EnqueueOptions.idempotency(Idempotency.key(this.key).ttl(ttl));
		Outcomes<EnqueueResult> outcomes = Race.of(2).run((thread) -> {
			if (thread == 0) {
				return database.transaction().execute((status) -> {
					EnqueueResult result = queue.enqueueWithResult("type", this.key, options);
					this.enqueued.countDown();
					database.awaitLockWaiters(1);
					advanceOutside(Duration.ofHours(1));
					status.setRollbackOnly();
					return result;
				});
			}
			this.enqueued.await(10, TimeUnit.SECONDS);
			return queue.enqueueWithResult("type", this.key, options);
		});
		assertThat(outcomes.failures()).isEmpty();
		UUID accepted = outcomes.values().get(1).jobId();
		database.clock().advance(ttl.minusMinutes(1));
		assertThat(queue.enqueueWithResult("type", this.key, options))
			.isEqualTo(new EnqueueResult(accepted, EnqueueOutcome.REPLAYED));
	}

	@Test
	void anUnrelatedKeyDoesNotWait() {
		database.transaction().executeWithoutResult((status) -> {
			queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
			Outcomes<UUID> other = Race.of(1)
				.withTimeout(Duration.ofSeconds(10))
				.run(() -> queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key + "-other")));
			assertThat(other.failures()).isEmpty();
			status.setRollbackOnly();
		});
	}

	/** The owner is first in the list. */
	private List<EnqueueResult> race(boolean commit, boolean joined) {
		TransactionTemplate transaction = database.transaction();
		Outcomes<EnqueueResult> outcomes = Race.of(1 + WAITERS).run((thread) -> {
			if (thread == 0) {
				return transaction.execute((status) -> {
					EnqueueResult result = enqueue();
					this.enqueued.countDown();
					database.awaitLockWaiters(WAITERS);
					if (!commit) {
						status.setRollbackOnly();
					}
					return result;
				});
			}
			this.enqueued.await(10, TimeUnit.SECONDS);
			return (joined) ? transaction.execute((status) -> {
				EnqueueResult result = enqueue();
				// usable afterwards
				assertThat(database.jdbc().queryForObject("select 1", Integer.class)).isOne();
				return result;
			}) : enqueue();
		});
		assertThat(outcomes.failures()).isEmpty();
		return outcomes.values();
	}

	private EnqueueResult enqueue() {
		return queue.enqueueWithResult("type", this.key, EnqueueOptions.idempotencyKey(this.key));
	}

	private List<UUID> stored() {
		return database.jdbc()
			.queryForList("select id from workhorse.job where payload #>> '{}' = ?", UUID.class, this.key);
	}

	private static void advanceOutside(Duration duration) {
		Race.of(1).run(() -> {
			database.clock().advance(duration);
			return true;
		});
	}

}
