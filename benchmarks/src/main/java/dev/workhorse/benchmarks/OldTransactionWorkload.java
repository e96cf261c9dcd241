package dev.workhorse.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariDataSource;

/**
 * What a transaction that somebody keeps open does to the speed at which jobs are worked
 * off: no row that is dead to everybody else can be removed meanwhile.
 */
final class OldTransactionWorkload implements Workload {

	private static final int JOBS = 100_000;

	@Override
	public String name() {
		return "old-transaction";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		Figures without = new Figures();
		Figures with = new Figures();
		int jobs = arguments.jobs(JOBS);
		HikariDataSource pool = database.pool(1);
		for (int round = 0; round <= Math.min(3, arguments.rounds()); round++) {
			double undisturbed = undisturbed(database, jobs);
			double disturbed = disturbed(database, pool, jobs);
			if (round > 0) {
				without.add(undisturbed);
				with.add(disturbed);
			}
		}
		database.truncate();
		return new Section("""
				| old transaction | jobs a second | ratio |
				|---|---|---|
				| none | %s | |
				| open since before the first claim | %s | %s |

				%,d jobs, all of them.""".formatted(without.spread(), with.spread(), with.against(without).ratio(),
				jobs), null);
	}

	private static double disturbed(BenchmarkDatabase database, HikariDataSource pool, int jobs)
			throws SQLException, InterruptedException {
		prepare(database, jobs);
		try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("select pg_current_xact_id(), count(*) from workhorse.worker");
			double rate = WorkhorseContender.rate(database, jobs);
			connection.rollback();
			return rate;
		}
	}

	private static double undisturbed(BenchmarkDatabase database, int jobs) throws InterruptedException {
		prepare(database, jobs);
		return WorkhorseContender.rate(database, jobs);
	}

	private static void prepare(BenchmarkDatabase database, int jobs) {
		database.truncate();
		database.fill(jobs, "ready");
		database.settle();
	}

}
