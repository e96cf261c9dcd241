package dev.workhorse.testsupport;

import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StatementCounter}.
 */
class StatementCounterIntegrationTests {

	@Test
	void statementsCommitsAndRollbacksAreCounted() {
		try (TestDatabase database = TestDatabase.create("counter",
				(dataSource) -> new JdbcTemplate(dataSource).execute("create table entry (id int)"))) {
			StatementCounter counter = StatementCounter.on(database.dataSource());
			JdbcTemplate jdbc = new JdbcTemplate(counter.dataSource());
			TransactionTemplate transactions = new TransactionTemplate(
					new JdbcTransactionManager(counter.dataSource()));
			jdbc.queryForList("select 1");
			transactions.executeWithoutResult((status) -> {
				jdbc.update("insert into entry values (?)", 1);
				jdbc.batchUpdate("insert into entry values (?)", List.of(new Object[] { 2 }, new Object[] { 3 }));
			});
			transactions.executeWithoutResult((status) -> {
				jdbc.batchUpdate("delete from entry", "select 2");
				status.setRollbackOnly();
			});
			assertThat(counter.sql()).containsExactly("select 1", "insert into entry values (?)",
					"insert into entry values (?)", "delete from entry; select 2");
			assertThat(counter.statements()).isEqualTo(4);
			assertThat(counter.commits()).isOne();
			assertThat(counter.rollbacks()).isOne();
			counter.reset();
			assertThat(counter.statements() + counter.commits() + counter.rollbacks()).isZero();
		}
	}

	@Test
	void failuresComeThroughUnwrapped() throws SQLException {
		try (TestDatabase database = TestDatabase.create("counter_failure", (dataSource) -> {
		}); var connection = StatementCounter.on(database.dataSource()).dataSource().getConnection()) {
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> {
				try (var statement = connection.createStatement()) {
					statement.execute("nonsense");
				}
			});
		}
	}

}
