package dev.workhorse;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.DatabaseClock;
import dev.workhorse.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A migrated database for one test class. Closing it checks the invariants first.
 */
public final class CoreDatabase implements AutoCloseable {

	private final TestDatabase database;

	private @Nullable DatabaseClock clock;

	private CoreDatabase(TestDatabase database) {
		this.database = database;
	}

	/**
	 * Copies the migrated template.
	 * @return the database, to be closed in {@code @AfterAll}
	 */
	public static CoreDatabase create() {
		return new CoreDatabase(TestDatabase.create("core", CoreDatabase::migrate));
	}

	private static void migrate(DataSource dataSource) {
		Workhorse.builder(dataSource).build().prepareSchema();
	}

	public TestDatabase database() {
		return this.database;
	}

	public DataSource dataSource() {
		return this.database.dataSource();
	}

	public JdbcTemplate jdbc() {
		return new JdbcTemplate(dataSource());
	}

	/**
	 * A transaction on the pool of this database, as an application would use it.
	 * @return a new template, free to be configured
	 */
	public TransactionTemplate transaction() {
		return new TransactionTemplate(new DataSourceTransactionManager(dataSource()));
	}

	/**
	 * Takes over the clock of the database on first use.
	 * @return the clock
	 */
	public synchronized DatabaseClock clock() {
		if (this.clock == null) {
			this.clock = DatabaseClock.install(dataSource());
		}
		return this.clock;
	}

	public WorkhorseBuilder builder() {
		return Workhorse.builder(dataSource());
	}

	/**
	 * A queue with the default settings.
	 * @return a new queue
	 */
	public Queue queue() {
		return builder().build().queue();
	}

	/**
	 * The stored payload of a job.
	 * @param job the id of the job
	 * @return the payload as PostgreSQL writes it
	 */
	public String payload(UUID job) {
		return Objects.requireNonNull(
				jdbc().queryForObject("select payload::text from workhorse.job where id = ?", String.class, job));
	}

	/**
	 * When a live job is due.
	 * @param job the id of the job
	 * @return the time
	 */
	public Instant runAt(UUID job) {
		return Objects
			.requireNonNull(jdbc().queryForObject("select run_at from workhorse.job_run where job_id = ?",
					OffsetDateTime.class, job))
			.toInstant();
	}

	public long count(String table) {
		Long count = jdbc().queryForObject("select count(*) from workhorse." + table, Long.class);
		return (count != null) ? count : -1;
	}

	/**
	 * A job's row, its run and its outcome as text, to compare before and after.
	 * @param job the id of the job
	 * @return everything stored about the job
	 */
	public Map<String, @Nullable Object> snapshot(UUID job) {
		return jdbc().queryForMap(
				"""
						select
						  (select row_to_json(j)::text || j.xmin::text from workhorse.job as j where j.id = given.id) as job,
						  (select row_to_json(r)::text || r.xmin::text from workhorse.job_run as r where r.job_id = given.id) as run,
						  (select row_to_json(o)::text || o.xmin::text from workhorse.job_outcome as o where o.job_id = given.id)
						    as outcome
						from (select cast(? as uuid) as id) as given
						""",
				job);
	}

	/**
	 * Waits until sessions of this database wait for the locks of others.
	 * @param sessions how many
	 */
	public void awaitLockWaiters(int sessions) {
		// not on a connection of the caller, which may show its transaction an old
		// picture
		try (HikariDataSource observer = this.database.newDataSource((config) -> config.setMaximumPoolSize(1))) {
			JdbcTemplate jdbc = new JdbcTemplate(observer);
			Await.value(sessions + " sessions waiting for a lock", () -> jdbc.queryForObject("""
					select count(*)
					from pg_stat_activity
					where datname = current_database() and wait_event_type = 'Lock'
					""", Integer.class), Integer.valueOf(sessions)::equals);
		}
	}

	public void checkInvariants() {
		Invariants.check(dataSource());
	}

	@Override
	public void close() {
		try {
			checkInvariants();
		}
		finally {
			this.database.close();
		}
	}

}
