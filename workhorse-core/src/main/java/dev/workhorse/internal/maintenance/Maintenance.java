package dev.workhorse.internal.maintenance;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.workhorse.internal.sql.DatabaseFailure;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Frees expired keys, then removes finished jobs and dispatched events whose retention is
 * over, in short transactions of bounded size. Any node does it, one at a time: each
 * batch takes an advisory lock that ends with its transaction, so a node that dies leaves
 * nothing behind.
 */
public final class Maintenance {

	private static final Logger logger = LoggerFactory.getLogger(Maintenance.class);

	private static final SqlStatement PRUNE_EXPIRED_KEYS = SqlStatement.load(Maintenance.class,
			"prune-expired-keys.sql");

	private static final SqlStatement REMOVE_FINISHED_JOBS = SqlStatement.load(Maintenance.class,
			"remove-finished-jobs.sql");

	private static final SqlStatement REMOVE_PURGE_NOTES = SqlStatement.load(Maintenance.class,
			"remove-purge-notes.sql");

	private static final SqlStatement REMOVE_DISPATCHED_EVENTS = SqlStatement.load(Maintenance.class,
			"remove-dispatched-events.sql");

	private static final int BATCH = 1_000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final String schema;

	private final RetentionSettings settings;

	private final WorkhorseListener listener;

	private @Nullable ScheduledThreadPoolExecutor schedule;

	private volatile boolean stopping;

	/** Whether the last round failed; only the schedule's thread uses it. */
	private boolean failing;

	public Maintenance(DataSource dataSource, String schema, RetentionSettings settings) {
		this(dataSource, schema, settings, new WorkhorseListener() {
		});
	}

	public Maintenance(DataSource dataSource, String schema, RetentionSettings settings, WorkhorseListener listener) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.schema = schema;
		this.settings = settings;
		this.listener = listener;
	}

	/**
	 * Start to clean up at regular intervals.
	 */
	public synchronized void start() {
		ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "workhorse-maintenance");
			thread.setDaemon(true);
			return thread;
		});
		this.stopping = false;
		long interval = this.settings.interval().toMillis();
		ScheduledFuture<?> unused = started.scheduleWithFixedDelay(this::runQuietly, interval, interval,
				TimeUnit.MILLISECONDS);
		this.schedule = started;
	}

	/**
	 * Stop after the current batch.
	 * @param patience how long to wait for its end
	 */
	public synchronized void stop(Duration patience) {
		ScheduledThreadPoolExecutor stopping = this.schedule;
		if (stopping == null) {
			return;
		}
		this.stopping = true;
		stopping.shutdownNow();
		try {
			stopping.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.schedule = null;
	}

	private void runQuietly() {
		try {
			run();
			this.failing = false;
		}
		catch (DataAccessException | TransactionException ex) {
			if (!this.failing && !this.stopping) {
				DatabaseFailure.log(logger, "Maintenance failed and is tried again every " + this.settings.interval(),
						ex);
			}
			this.failing = true;
		}
	}

	/**
	 * Clean up once.
	 * @return how much was cleaned up
	 */
	public Removed run() {
		SqlStatement prune = PRUNE_EXPIRED_KEYS.inSchema(this.schema);
		long keys = repeat(prune, new MapSqlParameterSource("most", BATCH));
		SqlStatement remove = REMOVE_FINISHED_JOBS.inSchema(this.schema);
		long jobs = 0;
		for (JobState state : JobState.values()) {
			if (state.isFinished()) {
				jobs += repeat(remove, new MapSqlParameterSource("most", BATCH).addValue("state", state.label())
					.addValue("retention_ms", this.settings.of(state).toMillis()));
			}
		}
		repeat(REMOVE_PURGE_NOTES.inSchema(this.schema),
				new MapSqlParameterSource("most", BATCH).addValue("retention_ms", this.settings.failed().toMillis()));
		repeat(REMOVE_DISPATCHED_EVENTS.inSchema(this.schema),
				new MapSqlParameterSource("most", BATCH).addValue("retention_ms", this.settings.events().toMillis()));
		if (keys + jobs > 0) {
			logger.debug("Freed {} expired keys and removed {} finished jobs", keys, jobs);
			this.listener.onMaintenance(keys, jobs);
		}
		return new Removed(keys, jobs);
	}

	private long repeat(SqlStatement statement, MapSqlParameterSource values) {
		long all = 0;
		int rows = BATCH;
		while (rows >= BATCH && !Thread.currentThread().isInterrupted()) {
			rows = Objects.requireNonNull(this.transaction.execute((status) -> batch(statement, values)));
			all += rows;
		}
		return all;
	}

	private int batch(SqlStatement statement, MapSqlParameterSource values) {
		Boolean alone = this.jdbc.queryForObject("select pg_try_advisory_xact_lock(hashtextextended(?, 0))",
				Boolean.class, "workhorse maintenance of " + this.schema);
		return (Boolean.TRUE.equals(alone)) ? this.jdbc.update(statement.text(), statement.bind(values)) : 0;
	}

	/**
	 * How much was cleaned up.
	 *
	 * @param keys how many expired keys were freed
	 * @param jobs how many finished jobs were removed
	 */
	public record Removed(long keys, long jobs) {

	}

}
