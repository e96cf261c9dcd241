package dev.workhorse;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.StatementCounter;
import dev.workhorse.testsupport.WalMeter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a decision costs: one statement, and for a repeat not a byte of WAL.
 */
class ReplayCostIntegrationTests {

	private static CoreDatabase database;

	private static StatementCounter counter;

	private static Queue queue;

	private final EnqueueOptions options = EnqueueOptions.idempotencyKey("cost " + UUID.randomUUID());

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		counter = StatementCounter.on(database.dataSource());
		queue = Workhorse.builder(counter.dataSource()).build().queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void warmUpAndReset() {
		queue.enqueue("type", 1);
		counter.reset();
	}

	@Test
	void newKeyTakesOneStatementAndNoTransactionOfItsOwn() {
		queue.enqueue("type", 1, this.options);
		assertThat(counter.sql()).singleElement().asString().contains("insert into workhorse.job");
		assertThat(counter.commits()).isZero();
	}

	@Test
	void replayTakesOneStatementAndNoTransactionOfItsOwn() {
		queue.enqueue("type", 1, this.options);
		counter.reset();
		queue.enqueue("type", 1, this.options);
		assertThat(counter.statements()).isOne();
		assertThat(counter.commits() + counter.rollbacks()).isZero();
	}

	@Test
	void conflictTakesTwoStatementsOnlyToTellTheDifference() {
		queue.enqueue("type", 1, this.options);
		counter.reset();
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> queue.enqueue("type", 2, this.options));
		assertThat(counter.statements()).isEqualTo(2);
	}

	@Test
	void joinedRequestIsNeitherCommittedNorRolledBack() {
		new TransactionTemplate(new DataSourceTransactionManager(counter.dataSource()))
			.executeWithoutResult((status) -> {
				counter.reset();
				queue.enqueue("type", 1, this.options);
				queue.enqueue("type", 1, this.options);
				assertThat(counter.statements()).isEqualTo(2);
				assertThat(counter.commits() + counter.rollbacks()).isZero();
			});
		assertThat(counter.commits()).isOne();
	}

	@Test
	void replayWritesNothing() {
		UUID original = queue.enqueue("type", Map.of("a", 1), this.options);
		Map<String, Object> before = written();
		long wal = WalMeter.on(database.dataSource()).minimumOf(10, () -> {
			for (int i = 0; i < 20; i++) {
				assertThat(queue.enqueue("type", Map.of("a", 1.0), this.options)).isEqualTo(original);
			}
		});
		assertThat(wal).isZero();
		assertThat(written()).isEqualTo(before);
	}

	@Test
	void conflictWritesNothing() {
		queue.enqueue("type", 1, this.options);
		long wal = WalMeter.on(database.dataSource())
			.minimumOf(10, () -> assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> queue.enqueue("type", 2, this.options)));
		assertThat(wal).isZero();
	}

	@Test
	void newJobWritesSoTheMeterIsSeenToWork() {
		assertThat(WalMeter.on(database.dataSource()).minimumOf(2, () -> queue.enqueue("type", 1))).isPositive();
	}

	@Test
	void thousandReplaysAreNotWorthAWarning() {
		// H13 (dbos-java#293)
		queue.enqueue("type", 1, this.options);
		Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		root.addAppender(appender);
		try {
			for (int i = 0; i < 1_000; i++) {
				queue.enqueue("type", 1, this.options);
			}
			root.warn("seen");
		}
		finally {
			root.detachAppender(appender);
		}
		assertThat(List.copyOf(appender.list)).filteredOn((event) -> event.getLevel().isGreaterOrEqual(Level.INFO))
			.extracting(ILoggingEvent::getMessage)
			.containsExactly("seen");
	}

	private static Map<String, Object> written() {
		return database.jdbc()
			.queryForMap(
					"""
							select
							  (select string_agg(xmin::text || xmax::text || ctid::text, ',' order by id) from workhorse.job) as jobs,
							  (select string_agg(xmin::text || xmax::text || ctid::text, ',' order by job_id) from workhorse.job_run)
							    as runs,
							  (select count(*) from workhorse.job_event) as events
							""");
	}

}
