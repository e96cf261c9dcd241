package dev.workhorse.internal.maintenance;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.CoreDatabase;
import dev.workhorse.internal.maintenance.Maintenance.Removed;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who cleans up: any node, one at a time, and another if it dies.
 */
class MaintenanceIntegrationTests {

	private static final String FINISHED = """
			with job as (
			  insert into workhorse.job
			    (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
			  select gen_random_uuid(), 'default', 'old', '1', 0, 25, 'polynomial', workhorse.clock()
			  from generate_series(1, ?)
			  returning id
			),
			event as (
			  insert into workhorse.job_event (job_id, at, kind, attempt)
			  select id, workhorse.clock(), 'attempt-failed', 1 from job
			)
			insert into workhorse.job_outcome (job_id, state, attempt, finished_at)
			select id, 'succeeded', 2, workhorse.clock() - interval '3 days' from job
			""";

	private final CoreDatabase database = CoreDatabase.create();

	@AfterEach
	void closeDatabase() {
		this.database.close();
	}

	@Test
	void nodeThatDiesHalfWayHarmsNothingAndAnotherGoesOn() {
		// G11 (riverqueue/river#1258)
		finished(5_000);
		// so slow that it is killed within its second batch
		this.database.jdbc().execute("""
				create function slow() returns trigger language plpgsql
				as $$ begin perform pg_sleep(0.5); return null; end $$
				""");
		this.database.jdbc()
			.execute("create trigger slow after delete on workhorse.job for each statement execute function slow()");
		try (ChildJvm child = ChildJvm.of(MaintainingJvm.class).args(this.database.database().jdbcUrl()).start()) {
			Await.until("the first batch is removed", () -> this.database.count("job") < 5_000);
			child.kill9();
		}
		long left = this.database.count("job");
		assertThat(left).isBetween(1_000L, 4_000L);
		assertThat(left % 1_000).as("left over from half a batch").isZero();
		this.database.checkInvariants();
		this.database.jdbc().execute("drop trigger slow on workhorse.job");
		Await.until("another node has removed the rest", () -> {
			maintenance().run();
			return this.database.count("job") == 0;
		});
	}

	@Test
	void oneNodeAtATimeCleansUpAndNobodyWaits() {
		finished(10);
		this.database.transaction().executeWithoutResult((status) -> {
			this.database.jdbc()
				.execute("select pg_advisory_xact_lock(hashtextextended('workhorse maintenance of workhorse', 0))");
			// on another connection than that of this transaction
			try (HikariDataSource other = this.database.database()
				.newDataSource((config) -> config.setMaximumPoolSize(1))) {
				assertThat(new Maintenance(other, "workhorse", RetentionSettings.DEFAULTS).run())
					.isEqualTo(new Removed(0, 0));
			}
		});
		assertThat(maintenance().run()).isEqualTo(new Removed(0, 10));
	}

	private void finished(int jobs) {
		this.database.jdbc().update(FINISHED, jobs);
	}

	private Maintenance maintenance() {
		return new Maintenance(this.database.dataSource(), "workhorse", RetentionSettings.DEFAULTS);
	}

}
