package dev.workhorse;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.StatementCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The job and its key belong to the caller's transaction when there is one.
 */
class CallerTransactionIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue queue;

	private final String key = "transaction-" + KEYS.incrementAndGet();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.jdbc().execute("create table business (name text primary key)");
		queue = database.queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void commitKeepsBoth() {
		UUID job = database.transaction().execute((status) -> {
			write("row " + this.key);
			return enqueue();
		});
		assertThat(written("row " + this.key)).isTrue();
		assertThat(stored(job)).isTrue();
	}

	@Test
	void jobIsInvisibleUntilTheCommit() {
		// A10: nothing outside sees the job before the data it needs
		UUID job = database.transaction().execute((status) -> {
			UUID id = enqueue();
			assertThat(storedSeenFromOutside(id)).isFalse();
			return id;
		});
		assertThat(storedSeenFromOutside(job)).isTrue();
	}

	@Test
	void rollbackKeepsNothingAndFreesTheKey() {
		// A7 (jobrunr/jobrunr#780)
		UUID[] job = new UUID[1];
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> database.transaction().executeWithoutResult((status) -> {
				write("row " + this.key);
				job[0] = enqueue();
				throw new IllegalStateException("business failure");
			}));
		assertThat(written("row " + this.key)).isFalse();
		assertThat(stored(job[0])).isFalse();
		assertThat(database.jdbc()
			.queryForObject("select count(*) from workhorse.job_event where job_id = ?", Integer.class, job[0]))
			.isZero();
		assertThat(result().outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void ownTransactionCommitsWhateverThePoolsAutoCommit(boolean autoCommit) {
		// A7, A8 (kagkarlsson/db-scheduler#146)
		try (HikariDataSource pool = pool(autoCommit)) {
			Queue own = Workhorse.builder(pool).build().queue();
			EnqueueResult first = own.enqueueWithResult("type", 1, options());
			assertThat(stored(first.jobId())).isTrue();
			assertThat(own.enqueueWithResult("type", 1, options()))
				.isEqualTo(new EnqueueResult(first.jobId(), EnqueueOutcome.REPLAYED));
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> own.enqueue("type", 2, options()));
			assertThat(stored(own.enqueue("type", 3))).isTrue();
			assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
			assertThat(autoCommitOf(pool)).isEqualTo(autoCommit);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void joinedTransactionRollsBackWhateverThePoolsAutoCommit(boolean autoCommit) {
		// A8 (kagkarlsson/db-scheduler#146): the library never commits the caller's work
		try (HikariDataSource pool = pool(autoCommit)) {
			Queue joining = Workhorse.builder(pool).build().queue();
			UUID job = new TransactionTemplate(new DataSourceTransactionManager(pool)).execute((status) -> {
				new JdbcTemplate(pool).update("insert into business values (?)", "joined " + this.key);
				UUID id = joining.enqueue("type", 1, options());
				status.setRollbackOnly();
				return id;
			});
			assertThat(written("joined " + this.key)).isFalse();
			assertThat(stored(job)).isFalse();
		}
	}

	@Test
	void replayLeavesTheTransactionUsable() {
		// A4 (rails/solid_queue#224)
		UUID original = enqueue();
		database.transaction().executeWithoutResult((status) -> {
			write("before " + this.key);
			assertThat(enqueue()).isEqualTo(original);
			write("after " + this.key);
		});
		assertThat(written("before " + this.key)).isTrue();
		assertThat(written("after " + this.key)).isTrue();
	}

	@Test
	void caughtConflictLeavesTheTransactionUsable() {
		// A4 (rails/solid_queue#224)
		UUID original = enqueue();
		database.transaction().executeWithoutResult((status) -> {
			write("before " + this.key);
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> queue.enqueue("type", "other", options()));
			assertThat(status.isRollbackOnly()).isFalse();
			write("after " + this.key);
		});
		assertThat(written("before " + this.key)).isTrue();
		assertThat(written("after " + this.key)).isTrue();
		assertThat(enqueue()).isEqualTo(original);
	}

	@Test
	void ownUncommittedJobReplaysAndConflictsWithinTheTransaction() {
		database.transaction().executeWithoutResult((status) -> {
			UUID job = enqueue();
			assertThat(enqueue()).isEqualTo(job);
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> queue.enqueue("type", "other", options()))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(job));
		});
	}

	@Test
	void expiredKeyKeepsItsOldOwnerWhenTheTransactionRollsBack() {
		UUID old = enqueue();
		database.jdbc()
			.update("update workhorse.job set key_expires_at = now() - interval '1 second' where id = ?", old);
		database.transaction().executeWithoutResult((status) -> {
			assertThat(enqueue()).isNotEqualTo(old);
			status.setRollbackOnly();
		});
		assertThat(database.jdbc()
			.queryForObject("select key_hash is not null from workhorse.job where id = ?", Boolean.class, old))
			.isTrue();
	}

	@Test
	void readOnlyTransactionIsRefusedBeforeAnySql() {
		// A11 (valtimo-platform/valtimo-backend-libraries#1364)
		StatementCounter counter = StatementCounter.on(database.dataSource());
		Queue counted = Workhorse.builder(counter.dataSource()).build().queue();
		TransactionTemplate readOnly = new TransactionTemplate(new DataSourceTransactionManager(counter.dataSource()));
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> {
			counter.reset();
			assertThatExceptionOfType(ReadOnlyTransactionException.class)
				.isThrownBy(() -> counted.enqueue("type", 1, options()))
				.withMessageContainingAll("read-only", "REQUIRES_NEW");
			assertThat(counter.statements()).isZero();
			assertThat(new JdbcTemplate(counter.dataSource()).queryForObject("select 1", Integer.class)).isOne();
			TransactionTemplate writing = new TransactionTemplate(
					new DataSourceTransactionManager(counter.dataSource()));
			writing.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			assertThat(stored(writing.execute((inner) -> counted.enqueue("type", 1, options())))).isTrue();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionOfAnotherDataSourceIsNotJoined(boolean autoCommit) {
		try (HikariDataSource pool = pool(autoCommit)) {
			Queue other = Workhorse.builder(pool).build().queue();
			UUID job = database.transaction().execute((status) -> {
				status.setRollbackOnly();
				return other.enqueue("type", 1, options());
			});
			assertThat(stored(job)).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionThatOnlyHangsOnAnotherDataSourcesTransactionIsNotJoined(boolean autoCommit) {
		// Spring keeps a connection used within any transaction bound until its end; with
		// auto-commit off nobody would ever commit it
		try (HikariDataSource pool = pool(autoCommit)) {
			Queue other = Workhorse.builder(pool).keyWait(Duration.ofSeconds(5)).build().queue();
			UUID job = database.transaction().execute((status) -> {
				new JdbcTemplate(pool).queryForObject("select 1", Integer.class);
				status.setRollbackOnly();
				return other.enqueue("type", 1, options());
			});
			assertThat(stored(job)).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionBegunInsideAnotherDataSourcesTransactionIsJoined(boolean autoCommit) {
		try (HikariDataSource pool = pool(autoCommit)) {
			Queue joining = Workhorse.builder(pool).build().queue();
			TransactionTemplate inner = new TransactionTemplate(new DataSourceTransactionManager(pool));
			// two managers do not share one set of synchronizations
			inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			UUID job = database.transaction().execute((outer) -> inner.execute((status) -> {
				new JdbcTemplate(pool).queryForObject("select 1", Integer.class);
				UUID id = joining.enqueue("type", 1, options());
				status.setRollbackOnly();
				return id;
			}));
			assertThat(stored(job)).isFalse();
		}
	}

	private EnqueueOptions options() {
		return EnqueueOptions.idempotencyKey(this.key);
	}

	private EnqueueResult result() {
		return queue.enqueueWithResult("type", 1, options());
	}

	private UUID enqueue() {
		return result().jobId();
	}

	private static HikariDataSource pool(boolean autoCommit) {
		return database.database().newDataSource((config) -> {
			config.setAutoCommit(autoCommit);
			config.setMaximumPoolSize(2);
		});
	}

	private static Boolean autoCommitOf(HikariDataSource pool) {
		return new JdbcTemplate(pool).execute((ConnectionCallback<Boolean>) (connection) -> connection.getAutoCommit());
	}

	private static void write(String name) {
		database.jdbc().update("insert into business values (?)", name);
	}

	private static boolean written(String name) {
		return Boolean.TRUE.equals(database.jdbc()
			.queryForObject("select exists (select from business where name = ?)", Boolean.class, name));
	}

	private static boolean stored(UUID job) {
		return Boolean.TRUE.equals(database.jdbc().queryForObject("""
				select exists (select from workhorse.job where id = given.id)
				   and exists (select from workhorse.job_run where job_id = given.id)
				from (select cast(? as uuid) as id) as given
				""", Boolean.class, job));
	}

	private static boolean storedSeenFromOutside(UUID job) {
		try (Connection connection = database.database().newConnection();
				PreparedStatement statement = connection.prepareStatement("select from workhorse.job where id = ?")) {
			statement.setObject(1, job);
			return statement.executeQuery().next();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
