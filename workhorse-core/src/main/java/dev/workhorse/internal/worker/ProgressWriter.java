package dev.workhorse.internal.worker;

import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Stores the progress of running attempts, of all of them together and at most twice a
 * second. What an attempt told last is stored before its end.
 */
final class ProgressWriter {

	private static final Logger logger = LoggerFactory.getLogger(ProgressWriter.class);

	private static final SqlStatement STORE_PROGRESS = SqlStatement.load(ProgressWriter.class, "store-progress.sql");

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Duration IDLE = Duration.ofMinutes(1);

	private final JdbcTemplate jdbc;

	private final SqlStatement storeProgress;

	private final Set<Attempt> noted = ConcurrentHashMap.newKeySet();

	/** Only the loop's thread uses it. */
	private long next = System.nanoTime();

	private final Loop loop = new Loop("progress", true, this::round);

	ProgressWriter(JdbcTemplate jdbc, String schema) {
		this.jdbc = jdbc;
		this.storeProgress = STORE_PROGRESS.inSchema(schema);
	}

	void start() {
		this.loop.start();
	}

	void stop(long deadline) {
		this.loop.stop(deadline);
	}

	/**
	 * An attempt has told its progress.
	 */
	void noted(Attempt attempt) {
		if (this.noted.add(attempt)) {
			this.loop.wake();
		}
	}

	private Duration round() {
		long wait = this.next - System.nanoTime();
		if (wait > 0) {
			return (this.noted.isEmpty()) ? IDLE : Duration.ofNanos(wait);
		}
		List<Attempt> attempts = new ArrayList<>(this.noted);
		attempts.forEach(this.noted::remove);
		if (attempts.isEmpty()) {
			return IDLE;
		}
		try {
			store(attempts);
		}
		catch (RuntimeException ex) {
			this.noted.addAll(attempts);
			throw ex;
		}
		this.next = System.nanoTime() + INTERVAL.toNanos();
		return INTERVAL;
	}

	/**
	 * Store what attempts told last. One at a time, so that what is read later is stored
	 * later.
	 */
	synchronized void store(Collection<Attempt> attempts) {
		Map<Attempt, String> unstored = new LinkedHashMap<>();
		for (Attempt attempt : attempts) {
			String progress = attempt.unstoredProgress();
			if (progress != null) {
				unstored.put(attempt, progress);
			}
		}
		if (!unstored.isEmpty()) {
			storeAll(unstored);
			unstored.forEach(Attempt::progressStored);
		}
	}

	private void storeAll(Map<Attempt, String> progress) {
		try {
			store(progress);
		}
		catch (DataIntegrityViolationException ex) {
			if (progress.size() == 1) {
				logger.warn("The progress of {} cannot be stored", progress.keySet(), ex);
				return;
			}
			progress.forEach((attempt, value) -> storeAll(Map.of(attempt, value)));
		}
	}

	private void store(Map<Attempt, String> progress) {
		Set<Attempt> attempts = progress.keySet();
		MapSqlParameterSource values = new MapSqlParameterSource()
			.addValue("job_ids", SqlArrays.uuid(attempts.stream().map(Attempt::jobId).toList()), Types.ARRAY)
			.addValue("fences", SqlArrays.bigint(attempts.stream().map(Attempt::fence).toList()), Types.ARRAY)
			.addValue("progress", SqlArrays.text(progress.values()), Types.ARRAY);
		this.jdbc.update(this.storeProgress.text(), this.storeProgress.bind(values));
	}

	/**
	 * Store what attempts told last, if that is possible.
	 */
	void storeQuietly(Collection<Attempt> attempts) {
		try {
			store(attempts);
		}
		catch (DataAccessException ex) {
			logger.warn("The last progress of {} could not be stored", attempts, ex);
		}
	}

}
