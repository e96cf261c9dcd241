package dev.workhorse.testsupport;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TestDatabase}.
 */
class TestDatabaseIntegrationTests {

	private final AtomicInteger migrations = new AtomicInteger();

	@Test
	void copiesOfATemplateDoNotSeeEachOther() {
		try (TestDatabase first = TestDatabase.create("isolation", this::migrate);
				TestDatabase second = TestDatabase.create("isolation", this::migrate)) {
			new JdbcTemplate(first.dataSource()).update("insert into note values ('first')");
			assertThat(notes(first.dataSource())).isEqualTo(2);
			assertThat(notes(second.dataSource())).isOne();
			assertThat(this.migrations).hasValue(1);
		}
	}

	@Test
	void templateIsMigratedOnceForParallelTests() {
		Race.Outcomes<Integer> outcomes = Race.of(4).run(() -> {
			try (TestDatabase database = TestDatabase.create("parallel", this::migrate)) {
				return notes(database.dataSource());
			}
		});
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).containsExactly(1, 1, 1, 1);
		assertThat(this.migrations).hasValue(1);
	}

	@Test
	void closedDatabaseIsGoneEvenWithOpenConnections() throws SQLException {
		TestDatabase database = TestDatabase.create("closing", this::migrate);
		try (var connection = database.newConnection()) {
			assertThat(connection.isValid(1)).isTrue();
			database.close();
			assertThat(connection.isValid(1)).isFalse();
		}
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> database.newConnection().close())
			.withMessageContaining("does not exist");
	}

	@Test
	void templateNameIsChecked() {
		assertThatIllegalArgumentException().isThrownBy(() -> TestDatabase.create("no; drop", this::migrate));
	}

	@Test
	void ownServerKeepsDataAndPortOverARestart() {
		try (OwnPostgresServer own = PostgresServer.startOwn();
				TestDatabase database = TestDatabase.createOn(own.server(), "own", this::migrate)) {
			assertThat(notes(database.dataSource())).isOne();
			own.stop();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> database.newConnection().close());
			own.start();
			DataSource restarted = database.newDataSource((config) -> config.setMaximumPoolSize(1));
			assertThat(notes(restarted)).isOne();
			assertThat(new JdbcTemplate(restarted).queryForObject("show synchronous_commit", String.class))
				.isEqualTo("on");
		}
	}

	private void migrate(DataSource dataSource) {
		this.migrations.incrementAndGet();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create table note (text text not null)");
		jdbc.update("insert into note values ('template')");
	}

	private static int notes(DataSource dataSource) {
		return new JdbcTemplate(dataSource).queryForList("select text from note").size();
	}

}
