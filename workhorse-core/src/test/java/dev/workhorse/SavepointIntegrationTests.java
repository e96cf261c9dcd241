package dev.workhorse;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.observation.WorkhorseListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints and nested transactions: what is rolled back leaves nothing, neither rows
 * nor counts.
 */
class SavepointIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static final List<UUID> COUNTED = new CopyOnWriteArrayList<>();

	private static CoreDatabase database;

	private static Queue queue;

	private final String key = "savepoint-" + KEYS.incrementAndGet();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		queue = database.builder().listener(new WorkhorseListener() {

			@Override
			public void onEnqueue(EnqueueDecided decided) {
				COUNTED.add(decided.jobId());
			}

		}).build().queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void forget() {
		COUNTED.clear();
	}

	@Test
	void decisionIsCountedAtTheCommitOnly() {
		UUID job = database.transaction().execute((status) -> {
			UUID id = enqueue(this.key);
			assertThat(COUNTED).isEmpty();
			return id;
		});
		assertThat(COUNTED).containsExactly(job);
	}

	@Test
	void decisionWithoutATransactionIsCountedAtOnce() {
		UUID job = enqueue(this.key);
		enqueue(this.key);
		assertThat(COUNTED).containsExactly(job, job);
	}

	@Test
	void rolledBackDecisionIsNotCounted() {
		// §9: a rolled-back request is not an acceptance
		database.transaction().executeWithoutResult((status) -> {
			enqueue(this.key);
			status.setRollbackOnly();
		});
		assertThat(COUNTED).isEmpty();
	}

	@Test
	void keyIsFreeAgainAfterARollbackToASavepoint() {
		UUID[] jobs = new UUID[2];
		database.transaction().executeWithoutResult((status) -> {
			rolledBack(() -> jobs[0] = enqueue(this.key));
			jobs[1] = enqueue(this.key);
		});
		assertThat(jobs[1]).isNotEqualTo(jobs[0]);
		assertThat(stored(jobs[0])).isFalse();
		assertThat(stored(jobs[1])).isTrue();
		assertThat(COUNTED).containsExactly(jobs[1]);
	}

	@Test
	void savepointRolledBackTakesOnlyWhatCameAfterIt() {
		UUID[] jobs = new UUID[4];
		database.transaction().executeWithoutResult((status) -> {
			jobs[0] = enqueue(this.key + "-before");
			rolledBack(() -> jobs[1] = enqueue(this.key + "-inside"));
			nested().executeWithoutResult((inner) -> {
				jobs[2] = enqueue(this.key + "-kept");
				rolledBack(() -> enqueue(this.key + "-innermost"));
			});
			jobs[3] = enqueue(this.key + "-after");
		});
		assertThat(COUNTED).containsExactly(jobs[0], jobs[2], jobs[3]);
		assertThat(stored(jobs[1])).isFalse();
		assertThat(List.of(jobs[0], jobs[2], jobs[3])).allMatch(SavepointIntegrationTests::stored);
	}

	@Test
	void firstRequestInsideASavepointThatIsRolledBackIsNotCounted() {
		database.transaction().executeWithoutResult((status) -> rolledBack(() -> enqueue(this.key)));
		assertThat(COUNTED).isEmpty();
		assertThat(enqueue(this.key)).isNotNull();
	}

	@Test
	void independentInnerTransactionIsCountedByItself() {
		TransactionTemplate independent = database.transaction();
		independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		UUID[] inner = new UUID[1];
		database.transaction().executeWithoutResult((status) -> {
			enqueue(this.key + "-outer");
			inner[0] = independent.execute((own) -> enqueue(this.key + "-inner"));
			assertThat(COUNTED).containsExactly(inner[0]);
			status.setRollbackOnly();
		});
		assertThat(COUNTED).containsExactly(inner[0]);
		assertThat(stored(inner[0])).isTrue();
	}

	private static TransactionTemplate nested() {
		TransactionTemplate nested = database.transaction();
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		return nested;
	}

	private static void rolledBack(Runnable action) {
		nested().executeWithoutResult((status) -> {
			action.run();
			status.setRollbackOnly();
		});
	}

	private static UUID enqueue(String key) {
		return queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(key));
	}

	private static boolean stored(UUID job) {
		return Boolean.TRUE.equals(database.jdbc()
			.queryForObject("select exists (select from workhorse.job where id = ?)", Boolean.class, job));
	}

}
