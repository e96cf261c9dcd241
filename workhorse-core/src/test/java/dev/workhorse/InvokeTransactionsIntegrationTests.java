package dev.workhorse;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.observation.WorkhorseListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Invokes in the transactions of their callers.
 */
class InvokeTransactionsIntegrationTests {

	private static CoreDatabase database;

	private final List<String> told = new CopyOnWriteArrayList<>();

	private Conductor conductor;

	private InvokeOptions options;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.jdbc().execute("create table business (what text not null)");
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void nameKey(TestInfo test) {
		this.options = InvokeOptions.dedupeKey(test.getDisplayName());
		this.conductor = database.builder().listener(new WorkhorseListener() {

			@Override
			public void onInvoke(InvokeDecided decided) {
				InvokeTransactionsIntegrationTests.this.told
					.add("%s %s %s %s".formatted(decided.mode(), decided.outcome(), decided.queue(), decided.type()));
			}

		}).build().conductor();
	}

	@Test
	void invokeBelongsToTheTransactionOfItsCallerAndIsToldAfterIt() {
		database.transaction().executeWithoutResult((status) -> {
			business("rolled back");
			invoke("1");
			status.setRollbackOnly();
		});
		assertThat(this.told).isEmpty();
		database.transaction().executeWithoutResult((status) -> {
			business("committed");
			assertThat(invoke("2").outcome()).as("the key of a rolled-back invoke is free")
				.isEqualTo(InvokeOutcome.CREATED);
			assertThat(invoke("3").outcome()).isEqualTo(InvokeOutcome.UPDATED);
			assertThat(this.told).isEmpty();
			business("still usable");
		});
		assertThat(this.told).containsExactly("dedupe created default task", "dedupe updated default task");
		assertThat(database.jdbc().queryForList("select what from business", String.class))
			.contains("committed", "still usable")
			.doesNotContain("rolled back");
	}

	@Test
	void rollbackToASavepointTakesBackWhatCameAfter() {
		TransactionTemplate transaction = database.transaction();
		transaction.executeWithoutResult((status) -> {
			UUID job = invoke("1").jobId();
			Object savepoint = status.createSavepoint();
			StoredState.RUNNING.bringAbout(database.jdbc(), Objects.requireNonNull(job));
			assertThat(invoke("2").outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
			status.rollbackToSavepoint(savepoint);
			assertThat(invoke("3")).isEqualTo(new InvokeResult(job, InvokeOutcome.UPDATED));
		});
		assertThat(this.told).containsExactly("dedupe created default task", "dedupe updated default task");
	}

	@Test
	void secondInvokeWaitsForTheFirst() throws Exception {
		for (boolean commits : List.of(true, false)) {
			InvokeOptions key = InvokeOptions.dedupeKey("waits " + commits);
			CountDownLatch invoked = new CountDownLatch(1);
			CountDownLatch goOn = new CountDownLatch(1);
			CompletableFuture<InvokeResult> first = CompletableFuture
				.supplyAsync(() -> database.transaction().execute((status) -> {
					InvokeResult result = this.conductor.invokeWithResult("task", "1", key);
					invoked.countDown();
					await(goOn);
					if (!commits) {
						status.setRollbackOnly();
					}
					return result;
				}));
			invoked.await();
			CompletableFuture<InvokeResult> second = CompletableFuture
				.supplyAsync(() -> this.conductor.invokeWithResult("task", "2", key));
			database.awaitLockWaiters(1);
			goOn.countDown();
			assertThat(second.join().outcome()).isEqualTo((commits) ? InvokeOutcome.UPDATED : InvokeOutcome.CREATED);
			assertThat(second.join().jobId().equals(first.join().jobId())).isEqualTo(commits);
		}
	}

	@Test
	void boundedWaitLeavesTheTransactionUsable() {
		Conductor impatient = database.builder().keyWait(Duration.ofMillis(50)).build().conductor();
		database.transaction().executeWithoutResult((status) -> {
			invoke("1");
			CompletableFuture.runAsync(() -> database.transaction().executeWithoutResult((other) -> {
				assertThatExceptionOfType(EnqueueKeyBusyException.class)
					.isThrownBy(() -> impatient.invoke("task", "2", this.options));
				assertThatExceptionOfType(EnqueueKeyBusyException.class).isThrownBy(() -> impatient.invokeAll(
						List.of(new InvokeRequest("task", "unkeyed"), new InvokeRequest("task", "2", this.options))));
				business("after the wait");
			})).join();
		});
		assertThat(database.jdbc().queryForList("select what from business", String.class)).contains("after the wait");
		assertThat(database.count("job where payload = '\"unkeyed\"'")).as("nothing of the batch remains").isZero();
	}

	@Test
	void loserUnderRepeatableReadIsToldToTryAgain() {
		// the transaction has its picture of the data before the other one commits
		for (boolean exists : List.of(false, true)) {
			InvokeOptions key = InvokeOptions.dedupeKey("repeatable read " + exists);
			if (exists) {
				this.conductor.invoke("task", "0", key);
			}
			TransactionTemplate transaction = database.transaction();
			transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
					database.jdbc().queryForObject("select count(*) from business", Long.class);
					CompletableFuture.runAsync(() -> this.conductor.invoke("task", "1", key)).join();
					this.conductor.invoke("task", "2", key);
				}));
			assertThat(database.jdbc()
				.queryForList(
						"select payload #>> '{}' from workhorse.job where key_hash is not null and key_preview = ?",
						String.class, EnqueueKey.of("repeatable read " + exists).preview()))
				.contains("1")
				.doesNotContain("2");
		}
	}

	@Test
	void readOnlyTransactionIsRefusedBeforeAnySql() {
		TransactionTemplate readOnly = database.transaction();
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> {
			assertThatExceptionOfType(ReadOnlyTransactionException.class).isThrownBy(() -> invoke("1"))
				.withMessageContaining("invoke");
			assertThatExceptionOfType(ReadOnlyTransactionException.class)
				.isThrownBy(() -> this.conductor.invokeAll(List.of(new InvokeRequest("task", "1", this.options))));
		});
	}

	private static void business(String what) {
		database.jdbc().update("insert into business values (?)", what);
	}

	private InvokeResult invoke(String payload) {
		return this.conductor.invokeWithResult("task", payload, this.options);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
