package dev.workhorse.testsupport;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WalMeter}.
 */
class WalMeterIntegrationTests {

	@Test
	void readingWritesNothingAndInsertingDoes() {
		try (TestDatabase database = TestDatabase.create("wal",
				(dataSource) -> new JdbcTemplate(dataSource).execute("create table entry (id int primary key)"))) {
			JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
			WalMeter meter = WalMeter.on(database.dataSource());
			assertThat(meter.minimumOf(5, () -> jdbc.queryForList("select * from entry"))).isZero();
			assertThat(meter.minimumOf(3,
					() -> jdbc.update("insert into entry select coalesce(max(id), 0) + 1 from entry")))
				.isPositive();
		}
	}

}
