package dev.workhorse.benchmarks;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the server has done so far.
 *
 * @param walBytes how far its write-ahead log has grown
 * @param statements how many statements it has run
 */
record Usage(long walBytes, long statements) {

	static final Usage NONE = new Usage(0, 0);

	private static final String READ = """
			select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal_bytes,
			  (
			    select sum(calls) from pg_stat_statements where dbid = (
			      select oid from pg_database where datname = current_database()
			    )
			  ) as statements
			""";

	static Usage read(JdbcTemplate jdbc) {
		return jdbc.query(READ, (row, number) -> new Usage(row.getLong("wal_bytes"), row.getLong("statements"))).get(0);
	}

	Usage since(Usage before) {
		return new Usage(this.walBytes - before.walBytes, this.statements - before.statements);
	}

	Usage plus(Usage other) {
		return new Usage(this.walBytes + other.walBytes, this.statements + other.statements);
	}

}
