package dev.workhorse.testsupport;

import java.time.Duration;
import java.time.Instant;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link DatabaseClock}.
 */
class DatabaseClockIntegrationTests {

	@Test
	void sqlSeesTheMovedClock() {
		try (TestDatabase database = TestDatabase.create("clock", DatabaseClockIntegrationTests::migrate)) {
			DatabaseClock clock = DatabaseClock.install(database.dataSource());
			clock.advance(Duration.ofDays(3));
			assertThat(new JdbcTemplate(database.dataSource()).queryForObject(
					"select workhorse.clock() - clock_timestamp() > interval '71 hours 59 minutes'", Boolean.class))
				.isTrue();
			clock.reset();
			assertThat(clock.now()).isCloseTo(Instant.now(), within(Duration.ofMinutes(1)));
		}
	}

	@Test
	void frozenClockMovesOnlyWhenToldTo() {
		try (TestDatabase database = TestDatabase.create("clock", DatabaseClockIntegrationTests::migrate)) {
			DatabaseClock clock = DatabaseClock.install(database.dataSource());
			Instant instant = Instant.parse("2031-05-06T07:08:09.123456Z");
			clock.freezeAt(instant);
			assertThat(clock.now()).isEqualTo(instant).isEqualTo(clock.now());
			clock.advance(Duration.ofMillis(-1500));
			assertThat(clock.now()).isEqualTo(instant.minusMillis(1500));
			clock.thaw();
			assertThat(clock.now()).isAfter(instant.minusMillis(1500)).isBefore(instant.plusSeconds(60));
		}
	}

	@Test
	void databaseWithoutTheFunctionIsRefused() {
		try (TestDatabase database = TestDatabase.create("clock", DatabaseClockIntegrationTests::migrate)) {
			assertThatIllegalStateException()
				.isThrownBy(() -> DatabaseClock.install(database.dataSource(), "elsewhere"))
				.withMessageContaining("elsewhere.clock()");
		}
	}

	private static void migrate(DataSource dataSource) {
		new JdbcTemplate(dataSource).execute("""
				create schema workhorse;
				create function workhorse.clock() returns timestamptz language sql as 'select clock_timestamp()';
				""");
	}

}
