package dev.workhorse.internal.operations;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueIdempotencyConflictException.Conflict;
import dev.workhorse.EnqueueKey;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.key.Rounds;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.internal.sql.TimeOrderedIds;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.operations.DeadLetter;
import dev.workhorse.operations.DeadLetterFilter;
import dev.workhorse.operations.NotADeadLetterException;
import dev.workhorse.operations.Page;
import dev.workhorse.operations.Redrive;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Listing dead letters and running them again.
 */
final class DeadLetters {

	private static final SqlStatement LIST_DEAD_LETTERS = SqlStatement.load(DeadLetters.class, "list-dead-letters.sql");

	private static final SqlStatement REDRIVE_JOB = SqlStatement.load(DeadLetters.class, "redrive-job.sql");

	/**
	 * How long a request to redrive is remembered, as long as a failed job by default.
	 */
	private static final Duration REQUEST_TTL = Duration.ofDays(14);

	private static final String SCOPE = "redrive";

	private static final int PAGE = 500;

	private final CallerTransaction transaction;

	private final String schema;

	private final KeyHasher hasher;

	private final WakeUps wakeUps;

	private final TimeOrderedIds ids = new TimeOrderedIds();

	DeadLetters(CallerTransaction transaction, String schema, KeyHasher hasher, WakeUps wakeUps) {
		this.transaction = transaction;
		this.schema = schema;
		this.hasher = hasher;
		this.wakeUps = wakeUps;
	}

	Page<DeadLetter> list(DeadLetterFilter filter, @Nullable String after, int most) {
		Cursor cursor = (after != null) ? Cursor.parseWithTime(after) : null;
		SqlStatement statement = LIST_DEAD_LETTERS.inSchema(this.schema);
		MapSqlParameterSource values = JobLists.after(JobLists.page(most), cursor)
			.addValue("queue", filter.queue(), Types.VARCHAR)
			.addValue("type", filter.type(), Types.VARCHAR)
			.addValue("error_type", filter.errorType(), Types.VARCHAR)
			.addValue("failed_from", SqlValues.utc(filter.failedFrom()), Types.TIMESTAMP_WITH_TIMEZONE)
			.addValue("failed_until", SqlValues.utc(filter.failedUntil()), Types.TIMESTAMP_WITH_TIMEZONE);
		List<Listed<DeadLetter>> rows = this.transaction.execute((session) -> session.jdbc()
			.query(statement.text(), statement.bind(values), (row, index) -> listed(row)));
		return Listed.page(rows, most);
	}

	private static Listed<DeadLetter> listed(ResultSet row) throws SQLException {
		DeadLetter letter = deadLetter(row);
		return new Listed<>(letter, row.getBoolean("passes"), row.getInt("place"),
				new Cursor(letter.failedAt(), letter.id()));
	}

	private static DeadLetter deadLetter(ResultSet row) throws SQLException {
		return new DeadLetter(row.getObject("id", UUID.class), row.getString("queue"), row.getString("type"),
				row.getInt("attempt"), SqlValues.instant(row, "finished_at"), row.getString("error_type"),
				row.getString("error_message"), row.getObject("redrive_of", UUID.class),
				Arrays.asList((UUID[]) row.getArray("redriven_as").getArray()));
	}

	long redriveAll(DeadLetterFilter filter, String requestId, Audit audit, boolean dryRun) {
		Bounds.name("requestId", requestId);
		long redriven = 0;
		String after = null;
		do {
			Page<DeadLetter> page = list(filter, after, PAGE);
			for (DeadLetter letter : page.items()) {
				if (letter.redrivenAs().isEmpty()) {
					redriven += (dryRun || redrive(letter.id(), requestId + "/" + letter.id(), audit).created()) ? 1
							: 0;
				}
			}
			after = page.next();
		}
		while (after != null);
		return redriven;
	}

	Redrive redrive(UUID jobId, String requestId, Audit audit) {
		EnqueueKey request = new EnqueueKey(SCOPE, requestId);
		KeyDigest digest = this.hasher.digest(KeySpace.REDRIVE, request);
		Answer answer = this.transaction.write("redrive a job",
				(session) -> decide(session, jobId, request, digest, audit));
		if (answer.heldRedriveOf() != null && !answer.heldRedriveOf().equals(jobId)) {
			throw new EnqueueIdempotencyConflictException(new Conflict(SCOPE, request.preview(), digest.text(),
					request.length(), answer.job(), List.of("jobId"), List.of()), null);
		}
		String queue = answer.queue();
		if (queue != null) {
			this.transaction.afterCommit(() -> this.wakeUps.accepted(queue, 0));
		}
		return new Redrive(answer.job(), queue != null);
	}

	private Answer decide(Session session, UUID jobId, EnqueueKey request, KeyDigest digest, Audit audit) {
		SqlStatement statement = REDRIVE_JOB.inSchema(this.schema);
		MapSqlParameterSource values = audit.details()
			.addValue("id", jobId)
			.addValue("new_id", this.ids.next())
			.addValue("key_hash", digest.bytes(), Types.BINARY)
			.addValue("key_scope", request.scope(), Types.VARCHAR)
			.addValue("key_preview", request.preview(), Types.VARCHAR)
			.addValue("key_length", request.length(), Types.SMALLINT)
			.addValue("key_fingerprint", jobId.toString().getBytes(StandardCharsets.US_ASCII), Types.BINARY)
			.addValue("key_window_ms", REQUEST_TTL.toMillis(), Types.BIGINT);
		for (int round = 0; round < Rounds.MOST; round++) {
			Answer answer = DataAccessUtils.requiredSingleResult(
					session.jdbc().query(statement.text(), statement.bind(values), (row, index) -> answer(row, jobId)));
			if (!answer.equals(Answer.LOST)) {
				return answer;
			}
		}
		throw new CannotAcquireLockException("Redrive request %s changed hands; try again".formatted(request));
	}

	private static Answer answer(ResultSet row, UUID jobId) throws SQLException {
		UUID held = row.getObject("held_id", UUID.class);
		UUID accepted = row.getObject("accepted_id", UUID.class);
		if (held != null) {
			return new Answer(held, null, row.getObject("held_redrive_of", UUID.class));
		}
		if (accepted != null) {
			return new Answer(accepted, row.getString("queue"), null);
		}
		if (row.getObject("dead_id") == null) {
			throw new NotADeadLetterException(jobId);
		}
		return Answer.LOST;
	}

	/**
	 * What one statement did, or found in its way.
	 *
	 * @param job the new job, or that of an earlier request
	 * @param queue the queue of the new job, {@code null} if there is none
	 * @param heldRedriveOf the dead letter of the earlier request
	 */
	private record Answer(UUID job, @Nullable String queue, @Nullable UUID heldRedriveOf) {

		/** Another transaction with the same request was faster; look again. */
		static final Answer LOST = new Answer(new UUID(0, 0), null, null);

	}

}
