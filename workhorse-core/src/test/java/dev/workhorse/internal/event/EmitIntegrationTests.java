package dev.workhorse.internal.event;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueKeyBusyException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.ReadOnlyTransactionException;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import dev.workhorse.testsupport.StatementCounter;
import dev.workhorse.testsupport.WalMeter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for emitting: dedupe keys, and the caller's transaction.
 */
class EmitIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final Emitters.Counted counted = new Emitters.Counted();

	private final PostgresEvents events = Emitters.on(database.dataSource(), null, this.counted);

	private final String key = "key-" + KEYS.incrementAndGet();

	private final String event = "event-" + this.key;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.jdbc().execute("create table business (name text primary key)");
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private UUID emit() {
		return emit(this.events);
	}

	private UUID emit(PostgresEvents events) {
		return events.emit(this.event, this.key, EmitOptions.dedupeKey(this.key));
	}

	private int emitted() {
		Integer emitted = database.jdbc()
			.queryForObject("select count(*) from workhorse.event where name = ?", Integer.class, this.event);
		return (emitted != null) ? emitted : -1;
	}

	@Test
	void repeatGetsTheFirstIdAndChangesNothing() {
		UUID first = emit();
		assertThat(this.events.emit(this.event, "other payload", EmitOptions.dedupeKey(this.key))).isEqualTo(first);
		assertThat(database.jdbc()
			.queryForList("select payload #>> '{}' from workhorse.event where name = ?", String.class, this.event))
			.containsExactly(this.key);
		assertThat(this.counted.emits).containsExactly(this.event + " emitted", this.event + " repeated");
	}

	@Test
	void sameKeyUnderAnotherNameIsAnotherEvent() {
		// H2, and D11 (graphile/worker#312): nothing in common with the keys of a queue
		UUID first = emit();
		UUID other = this.events.emit(this.event + "-other", 1, EmitOptions.dedupeKey(this.key));
		assertThat(other).isNotEqualTo(first);
		UUID job = database.queue().enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
		assertThat(job).isNotEqualTo(first);
		assertThat(emit()).isEqualTo(first);
	}

	@Test
	void withoutAKeyEachCallEmits() {
		UUID first = this.events.emit(this.event, 1, EmitOptions.defaults());
		assertThat(this.events.emit(this.event, 1, EmitOptions.defaults())).isNotEqualTo(first);
		assertThat(emitted()).isEqualTo(2);
	}

	@Test
	void takesOneStatementAndARepeatWritesNothing() {
		StatementCounter counter = StatementCounter.on(database.dataSource());
		PostgresEvents counting = Emitters.on(counter.dataSource());
		emit(counting);
		assertThat(counter.statements()).isOne();
		emit(counting);
		assertThat(counter.statements()).isEqualTo(2);
		assertThat(WalMeter.on(database.dataSource()).minimumOf(5, () -> emit(counting))).isZero();
	}

	@Test
	void rollbackLeavesNothingAndFreesTheKey() {
		UUID[] first = new UUID[1];
		database.transaction().executeWithoutResult((status) -> {
			first[0] = emit();
			assertThat(emit()).isEqualTo(first[0]);
			status.setRollbackOnly();
		});
		assertThat(emitted()).isZero();
		assertThat(this.counted.emits).isEmpty();
		assertThat(emit()).isNotEqualTo(first[0]);
	}

	@Test
	void savepointTakesTheEventBack() {
		UUID kept = database.transaction().execute((status) -> {
			Object savepoint = status.createSavepoint();
			emit();
			status.rollbackToSavepoint(savepoint);
			return this.events.emit(this.event, 2, EmitOptions.defaults());
		});
		assertThat(
				database.jdbc().queryForList("select id from workhorse.event where name = ?", UUID.class, this.event))
			.containsExactly(kept);
		assertThat(this.counted.emits).containsExactly(this.event + " emitted");
	}

	@Test
	void committedWithoutATransactionWhateverThePoolsAutoCommit() {
		// A8 (kagkarlsson/db-scheduler#146)
		try (HikariDataSource pool = database.database().newDataSource((config) -> config.setAutoCommit(false))) {
			emit(Emitters.on(pool));
		}
		assertThat(emitted()).isOne();
	}

	@Test
	void transactionStaysUsableAfterARepeatAndARefusal() {
		// A4 (rails/solid_queue#224)
		emit();
		database.transaction().executeWithoutResult((status) -> {
			emit();
			assertThatExceptionOfType(InvalidRequestException.class)
				.isThrownBy(() -> this.events.emit(this.event, "\0", EmitOptions.defaults()));
			database.jdbc().update("insert into business values (?)", this.key);
		});
		assertThat(database.jdbc().queryForList("select name from business", String.class)).contains(this.key);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersWaitForAnOpenTransactionWithTheirKey(boolean commit) {
		// A1 (oban-bg/oban#1087, #1093), A5
		CountDownLatch open = new CountDownLatch(1);
		Outcomes<UUID> outcomes = Race.of(5).run((thread) -> {
			if (thread > 0) {
				open.await(10, TimeUnit.SECONDS);
				return (thread % 2 == 0) ? emit() : database.transaction().execute((status) -> emit());
			}
			return database.transaction().execute((status) -> {
				UUID id = emit();
				open.countDown();
				database.awaitLockWaiters(4);
				if (!commit) {
					status.setRollbackOnly();
				}
				return id;
			});
		});
		assertThat(outcomes.failures()).isEmpty();
		UUID opened = outcomes.values().get(0);
		UUID answered = outcomes.values().get(1);
		assertThat(outcomes.values().subList(1, 5)).containsOnly(answered);
		assertThat(opened.equals(answered)).isEqualTo(commit);
		assertThat(emitted()).isOne();
	}

	@Test
	void oneOfManyCallersAtTheSameInstantEmits() {
		// A2 (oban-bg/oban#1505, #764), A13 (corda/corda-runtime-os#5821)
		for (int round = 0; round < 50; round++) {
			String each = this.key + "-" + round;
			Outcomes<UUID> outcomes = Race.of(16)
				.run(() -> this.events.emit(this.event, each, EmitOptions.dedupeKey(each)));
			assertThat(outcomes.failures()).isEmpty();
			assertThat(outcomes.values()).hasSize(16).containsOnly(outcomes.values().get(0));
		}
		assertThat(emitted()).isEqualTo(50);
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void loserThatCannotSeeTheWinnerIsToldToRetry(int isolation) {
		TransactionTemplate transaction = database.transaction();
		transaction.setIsolationLevel(isolation);
		UUID[] winner = new UUID[1];
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
				emitted();
				winner[0] = Race.of(1).run(() -> emit()).values().get(0);
				emit();
			}));
		UUID retried = transaction.execute((status) -> emit());
		assertThat(retried).isEqualTo(winner[0]);
		assertThat(emitted()).isOne();
	}

	@Test
	void waitForAKeyCanBeBounded() {
		PostgresEvents bounded = Emitters.on(database.dataSource(), Duration.ofMillis(50), this.counted);
		database.transaction().executeWithoutResult((status) -> {
			emit();
			assertThat(Race.of(1).run(() -> emit(bounded)).failures()).singleElement()
				.isInstanceOf(EnqueueKeyBusyException.class);
		});
		assertThat(emit(bounded)).isEqualTo(emit());
	}

	@Test
	void refusedInsideAReadOnlyTransactionBeforeAnySql() {
		// A11 (valtimo-platform/valtimo-backend-libraries#1364)
		StatementCounter counter = StatementCounter.on(database.dataSource());
		PostgresEvents counting = Emitters.on(counter.dataSource());
		TransactionTemplate readOnly = new TransactionTemplate(new DataSourceTransactionManager(counter.dataSource()));
		readOnly.setReadOnly(true);
		assertThatExceptionOfType(ReadOnlyTransactionException.class)
			.isThrownBy(() -> readOnly.execute((status) -> emit(counting)))
			.withMessageContaining("Cannot emit");
		assertThat(counter.statements()).isZero();
	}

	@Test
	void badInputIsRefusedBeforeAnySql() {
		// E14
		StatementCounter counter = StatementCounter.on(database.dataSource());
		PostgresEvents counting = Emitters.on(counter.dataSource());
		assertRefused("event", () -> counting.emit(" ", 1, EmitOptions.defaults()));
		assertRefused("event", () -> counting.emit("ü".repeat(129), 1, EmitOptions.defaults()));
		assertRefused("payload", () -> counting.emit("x", "a\0", EmitOptions.defaults()));
		assertRefused("payload", () -> counting.emit("x", "a".repeat(1024 * 1024), EmitOptions.defaults()));
		assertRefused("payload", () -> counting.emit("x", Double.NaN, EmitOptions.defaults()));
		assertRefused("dedupeKey", () -> EmitOptions.dedupeKey("ü".repeat(257)));
		assertThat(counter.statements()).isZero();
		counting.emit("ü".repeat(128), "ok", EmitOptions.dedupeKey("ü".repeat(256)));
	}

	private static void assertRefused(String field, ThrowingCallable call) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

}
