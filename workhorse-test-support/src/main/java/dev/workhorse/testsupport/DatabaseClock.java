package dev.workhorse.testsupport;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Moves the clock of one test database: replaces its function {@code clock()} by one that
 * adds an offset kept in {@code workhorse_test.clock_offset}, or counts from a frozen
 * instant. A transaction sees the clock as it was committed, so a move made inside an
 * open transaction is invisible to the others.
 */
public final class DatabaseClock {

	private static final String CREATE_OFFSET = """
			create schema if not exists workhorse_test;
			create table if not exists workhorse_test.clock_offset (
				only_row boolean primary key default true check (only_row),
				shift interval not null default '0',
				frozen_at timestamptz
			);
			insert into workhorse_test.clock_offset default values on conflict do nothing;
			grant usage on schema workhorse_test to public;
			grant select on workhorse_test.clock_offset to public;
			""";

	private static final String REPLACE_CLOCK = """
			create or replace function workhorse.clock() returns timestamptz
			language sql volatile
			as $$
			select coalesce(frozen_at, clock_timestamp()) + shift
			from workhorse_test.clock_offset
			$$
			""";

	private final JdbcTemplate jdbc;

	private final String clock;

	private DatabaseClock(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.clock = schema + ".clock()";
	}

	/**
	 * Takes over {@code workhorse.clock()}.
	 * @param dataSource the test database, migrated
	 * @return the clock
	 */
	public static DatabaseClock install(DataSource dataSource) {
		return install(dataSource, "workhorse");
	}

	/**
	 * Takes over the function {@code clock()} of a schema. Schemas of one database share
	 * the offset.
	 * @param dataSource the test database, migrated
	 * @param schema the schema that has the function
	 * @return the clock
	 */
	public static DatabaseClock install(DataSource dataSource, String schema) {
		DatabaseClock clock = new DatabaseClock(new JdbcTemplate(dataSource), schema);
		clock.takeOver();
		return clock;
	}

	private void takeOver() {
		Boolean exists = this.jdbc.queryForObject("select to_regprocedure(?) is not null", Boolean.class, this.clock);
		if (!Boolean.TRUE.equals(exists)) {
			throw new IllegalStateException("No function " + this.clock + ": migrate the database first");
		}
		this.jdbc.execute(CREATE_OFFSET);
		this.jdbc.execute(REPLACE_CLOCK.replace("workhorse.clock()", this.clock));
	}

	/**
	 * Moves the clock; works on a frozen clock, too.
	 * @param duration how far; negative moves back
	 */
	public void advance(Duration duration) {
		long micros = Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
		this.jdbc.update("update workhorse_test.clock_offset set shift = shift + ? * interval '1 microsecond'", micros);
	}

	/**
	 * Stops the clock at an instant (microseconds count).
	 * @param instant what the clock shows until it is moved or thawed
	 */
	public void freezeAt(Instant instant) {
		this.jdbc.update("update workhorse_test.clock_offset set frozen_at = ?, shift = '0'",
				OffsetDateTime.ofInstant(instant, ZoneOffset.UTC));
	}

	/**
	 * Lets a frozen clock run on from what it shows.
	 */
	public void thaw() {
		this.jdbc.update("update workhorse_test.clock_offset set frozen_at = null,"
				+ " shift = frozen_at + shift - clock_timestamp() where frozen_at is not null");
	}

	/**
	 * Goes back to real time.
	 */
	public void reset() {
		this.jdbc.update("update workhorse_test.clock_offset set frozen_at = null, shift = '0'");
	}

	/**
	 * Returns what SQL sees.
	 * @return the time of the database
	 */
	public Instant now() {
		OffsetDateTime now = this.jdbc.queryForObject("select " + this.clock, OffsetDateTime.class);
		if (now == null) {
			throw new IllegalStateException("workhorse_test.clock_offset is empty");
		}
		return now.toInstant();
	}

}
