package dev.workhorse;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The bounded wait for a key that an open transaction holds.
 */
class KeyWaitIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue unbounded;

	private static Queue bounded;

	private final String key = "key-wait-" + KEYS.incrementAndGet();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.jdbc().execute("create table business (name text primary key)");
		unbounded = database.queue();
		bounded = database.builder().keyWait(Duration.ofMillis(50)).build().queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void waiterWithoutATransactionIsToldThatTheKeyIsBusy() {
		whileTheKeyIsHeld(() -> {
			assertThatExceptionOfType(EnqueueKeyBusyException.class).isThrownBy(() -> enqueue(bounded))
				.withMessageContainingAll("50 ms", "workhorse.enqueue.key-wait");
			return true;
		});
		assertThat(enqueue(bounded).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void busyKeyLeavesTheTransactionUsableAndItsLockTimeoutAsItWas() {
		UUID other = whileTheKeyIsHeld(() -> database.transaction().execute((status) -> {
			database.jdbc().execute("set local lock_timeout = '7s'");
			database.jdbc().update("insert into business values (?)", "before " + this.key);
			assertThatExceptionOfType(EnqueueKeyBusyException.class).isThrownBy(() -> enqueue(bounded));
			assertThat(lockTimeout()).isEqualTo("7s");
			database.jdbc().update("insert into business values (?)", "after " + this.key);
			return bounded.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key + "-other"));
		}));
		assertThat(database.jdbc()
			.queryForList("select name from business where name like '%' || ? order by name", String.class, this.key))
			.containsExactly("after " + this.key, "before " + this.key);
		assertThat(
				database.jdbc().queryForObject("select count(*) from workhorse.job where id = ?", Integer.class, other))
			.isOne();
	}

	@Test
	void answerWithinTheBoundRestoresTheLockTimeout() {
		database.transaction().executeWithoutResult((status) -> {
			database.jdbc().execute("set local lock_timeout = '7s'");
			UUID job = enqueue(bounded).jobId();
			assertThat(lockTimeout()).isEqualTo("7s");
			assertThat(enqueue(bounded)).isEqualTo(new EnqueueResult(job, EnqueueOutcome.REPLAYED));
			assertThat(lockTimeout()).isEqualTo("7s");
		});
		enqueue(bounded);
		assertThat(lockTimeout()).isEqualTo("0");
	}

	@Test
	void expiredKeyBeingTakenOverIsBusyToo() {
		enqueue(unbounded);
		database.jdbc()
			.update("update workhorse.job set key_expires_at = now() - interval '1 s' where payload #>> '{}' = ?",
					this.key);
		whileTheKeyIsHeld(() -> database.transaction().execute((status) -> {
			assertThatExceptionOfType(EnqueueKeyBusyException.class).isThrownBy(() -> enqueue(bounded));
			return database.jdbc().queryForObject("select 1", Integer.class);
		}));
		assertThat(enqueue(bounded).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	private <T> T whileTheKeyIsHeld(Supplier<T> action) {
		return database.transaction().execute((status) -> {
			assertThat(enqueue(unbounded).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
			status.setRollbackOnly();
			Race.Outcomes<T> outcomes = Race.of(1).run(action::get);
			assertThat(outcomes.failures()).isEmpty();
			return outcomes.values().get(0);
		});
	}

	private EnqueueResult enqueue(Queue queue) {
		return queue.enqueueWithResult("type", this.key, EnqueueOptions.idempotencyKey(this.key));
	}

	private static String lockTimeout() {
		return database.jdbc().queryForObject("select current_setting('lock_timeout')", String.class);
	}

}
