package dev.workhorse.testsupport;

import java.time.Duration;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Measures the write-ahead log that a block of code causes. The log belongs to the whole
 * server, so others who write are measured, too: measure on a quiet server and take the
 * {@link #minimumOf(int, Runnable) minimum}.
 */
public final class WalMeter {

	private static final Duration QUIET = Duration.ofMillis(300);

	private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(30);

	private final JdbcTemplate jdbc;

	private WalMeter(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
	}

	public static WalMeter on(DataSource dataSource) {
		return new WalMeter(dataSource);
	}

	/**
	 * Measures one run.
	 * @param block what to measure
	 * @return the bytes written to the log meanwhile, by whomever
	 */
	public long measure(Runnable block) {
		long before = position();
		block.run();
		return position() - before;
	}

	/**
	 * Measures several runs, each after the log came to rest, and stops at the first that
	 * writes nothing. A block that never writes yields 0 despite background noise; a
	 * block that always writes never does.
	 * @param tries how many runs at most
	 * @param block what to measure
	 * @return the smallest number of bytes
	 */
	public long minimumOf(int tries, Runnable block) {
		long minimum = Long.MAX_VALUE;
		for (int i = 0; i < tries && minimum > 0; i++) {
			settle();
			minimum = Math.min(minimum, measure(block));
		}
		return minimum;
	}

	/**
	 * Waits until nothing was written for 300 milliseconds.
	 */
	public void settle() {
		Rest rest = new Rest();
		Await.value("WAL position at rest", SETTLE_TIMEOUT, rest::observe, (quiet) -> quiet.compareTo(QUIET) >= 0);
	}

	private long position() {
		Long position = this.jdbc.queryForObject("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn", Long.class);
		if (position == null) {
			throw new IllegalStateException("The server told no WAL position");
		}
		return position;
	}

	/**
	 * Watches how long the position has stood still.
	 */
	private final class Rest {

		private long position = position();

		private long since = System.nanoTime();

		Duration observe() {
			long current = position();
			if (current != this.position) {
				this.position = current;
				this.since = System.nanoTime();
			}
			return Duration.ofNanos(System.nanoTime() - this.since);
		}

	}

}
