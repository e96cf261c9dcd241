package dev.workhorse;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Under REPEATABLE READ and SERIALIZABLE the loser of a race cannot see the winner: it is
 * told to retry its transaction, and never makes a duplicate.
 */
class IsolationIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue queue;

	private final String key = "isolation-" + KEYS.incrementAndGet();

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
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void loserThatCannotSeeTheWinnerIsToldToRetry(int isolation) {
		TransactionTemplate transaction = transaction(isolation);
		UUID[] winner = new UUID[1];
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
				database.jdbc().queryForObject("select count(*) from workhorse.job", Long.class);
				winner[0] = Race.of(1).run(this::enqueue).values().get(0).jobId();
				enqueue();
			}));
		assertThat(jobs()).isOne();
		EnqueueResult retried = transaction.execute((status) -> enqueue());
		assertThat(retried).isEqualTo(new EnqueueResult(winner[0], EnqueueOutcome.REPLAYED));
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void raceEndsInOneJobWhoeverIsToldToRetry(int isolation) {
		Outcomes<EnqueueResult> outcomes = Race.of(8).run(() -> transaction(isolation).execute((status) -> enqueue()));
		assertThat(outcomes.failures())
			.allSatisfy((failure) -> assertThat(failure).isInstanceOf(ConcurrencyFailureException.class));
		assertThat(outcomes.values()).extracting(EnqueueResult::outcome).containsOnlyOnce(EnqueueOutcome.ACCEPTED);
		assertThat(outcomes.values()).extracting(EnqueueResult::jobId).containsOnly(outcomes.values().get(0).jobId());
		assertThat(jobs()).isOne();
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void retriedTransactionsAllEndWithOneId(int isolation) {
		Outcomes<UUID> outcomes = Race.of(8).run(() -> {
			while (true) {
				try {
					return transaction(isolation).execute((status) -> enqueue().jobId());
				}
				catch (ConcurrencyFailureException ex) {
					// what the caller is told to do: once more from the start
				}
			}
		});
		assertThat(outcomes.values()).hasSize(8).containsOnly(outcomes.values().get(0));
	}

	private EnqueueResult enqueue() {
		return queue.enqueueWithResult("type", this.key, EnqueueOptions.idempotencyKey(this.key));
	}

	private Long jobs() {
		return database.jdbc()
			.queryForObject("select count(*) from workhorse.job where payload = to_jsonb(cast(? as text))", Long.class,
					this.key);
	}

	private static TransactionTemplate transaction(int isolation) {
		TransactionTemplate transaction = database.transaction();
		transaction.setIsolationLevel(isolation);
		return transaction;
	}

}
