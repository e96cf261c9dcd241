package dev.workhorse.benchmarks;

import java.util.Locale;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the server has done so far, and how often this process waited for it.
 *
 * @param walBytes how far its write-ahead log has grown
 * @param statements how many statements it has run
 * @param roundTrips how often this process waited for an answer
 */
record Usage(long walBytes, long statements, long roundTrips) {

	static final Usage NONE = new Usage(0, 0, 0);

	private static final String READ = """
			select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal_bytes,
			  (
			    select sum(calls) from pg_stat_statements where dbid = (
			      select oid from pg_database where datname = current_database()
			    )
			  ) as statements
			""";

	static Usage read(JdbcTemplate jdbc) {
		return jdbc
			.query(READ,
					(row, number) -> new Usage(row.getLong("wal_bytes"), row.getLong("statements"), RoundTrips.made()))
			.get(0);
	}

	Usage since(Usage before) {
		return new Usage(this.walBytes - before.walBytes, this.statements - before.statements,
				this.roundTrips - before.roundTrips);
	}

	Usage plus(Usage other) {
		return new Usage(this.walBytes + other.walBytes, this.statements + other.statements,
				this.roundTrips + other.roundTrips);
	}

	/**
	 * The three cells of a table, for each of many things done.
	 */
	String perEach(long done) {
		double each = Math.max(1, done);
		return String.format(Locale.ROOT, "%,.0f | %.2f | %.2f", this.walBytes / each, this.statements / each,
				this.roundTrips / each);
	}

}
