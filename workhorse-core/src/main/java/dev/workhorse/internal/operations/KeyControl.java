package dev.workhorse.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.workhorse.EnqueueKey;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.KeyMode;
import dev.workhorse.NonReplaceableReason;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.KeyExplanation;
import dev.workhorse.operations.KeyExplanation.Forecast;
import dev.workhorse.operations.KeyExplanation.Holder;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * What people ask of keys and do to them.
 */
final class KeyControl {

	private static final SqlStatement EXPLAIN_KEY = SqlStatement.load(KeyControl.class, "explain-key.sql");

	private static final SqlStatement RELEASE_KEY = SqlStatement.load(KeyControl.class, "release-key.sql");

	private static final SqlStatement RELEASE_KEY_OF_JOB = SqlStatement.load(KeyControl.class,
			"release-key-of-job.sql");

	private static final SqlStatement FIND_KEY_HOLDERS = SqlStatement.load(KeyControl.class, "find-key-holders.sql");

	private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{12,64}");

	private final CallerTransaction transaction;

	private final String schema;

	private final KeyHasher hasher;

	KeyControl(CallerTransaction transaction, String schema, KeyHasher hasher) {
		this.transaction = transaction;
		this.schema = schema;
		this.hasher = hasher;
	}

	KeyExplanation explain(EnqueueKey key) {
		KeyDigest digest = this.hasher.digest(KeySpace.ENQUEUE, key);
		SqlStatement statement = EXPLAIN_KEY.inSchema(this.schema);
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("key_hash", digest.bytes(), Types.BINARY);
		List<Held> found = this.transaction.execute(
				(session) -> session.jdbc().query(statement.text(), statement.bind(values), (row, index) -> held(row)));
		Held held = DataAccessUtils.singleResult(found);
		Map<KeyMode, Forecast> forecasts = new EnumMap<>(KeyMode.class);
		for (KeyMode mode : KeyMode.values()) {
			forecasts.put(mode, forecast(mode, held));
		}
		return new KeyExplanation(key.scope(), key.preview(), digest.text(), (held != null) ? held.holder() : null,
				forecasts);
	}

	private static Held held(ResultSet row) throws SQLException {
		Holder holder = new Holder(row.getObject("id", UUID.class), row.getString("key_mode"),
				JobState.of(row.getString("state")), SqlValues.instant(row, "created_at"),
				SqlValues.instant(row, "key_expires_at"), row.getBoolean("live"));
		return new Held(holder, row.getBoolean("unstarted"));
	}

	private static Forecast forecast(KeyMode mode, @Nullable Held held) {
		String accepted = EnqueueOutcome.ACCEPTED.label();
		if (held == null) {
			return new Forecast(accepted, accepted);
		}
		boolean sameMode = mode.label().equals(held.holder().mode());
		if (mode == KeyMode.DEBOUNCE) {
			String answer = debounced(sameMode, held);
			return new Forecast(answer, answer);
		}
		if (!held.holder().live()) {
			return new Forecast(accepted, accepted);
		}
		EnqueueOutcome repeat = (mode == KeyMode.THROTTLE) ? EnqueueOutcome.COALESCED : EnqueueOutcome.REPLAYED;
		return new Forecast((sameMode) ? repeat.label() : "conflict", "conflict");
	}

	private static String debounced(boolean sameMode, Held held) {
		boolean live = held.holder().live();
		if (!sameMode) {
			return (live) ? nonReplaceable(NonReplaceableReason.INCOMPATIBLE_KEY_MODE)
					: EnqueueOutcome.ACCEPTED.label();
		}
		if (held.unstarted()) {
			return (live) ? EnqueueOutcome.REPLACED.label()
					: nonReplaceable(NonReplaceableReason.WINDOW_ELAPSED_PENDING);
		}
		return (live) ? nonReplaceable(NonReplaceableReason.NOT_PENDING) : EnqueueOutcome.ACCEPTED.label();
	}

	private static String nonReplaceable(NonReplaceableReason reason) {
		return EnqueueOutcome.NON_REPLACEABLE.label() + "/" + reason.label();
	}

	boolean release(EnqueueKey key, Audit audit) {
		return release(RELEASE_KEY,
				audit.details().addValue("key_hash", this.hasher.digest(KeySpace.ENQUEUE, key).bytes(), Types.BINARY));
	}

	boolean releaseOf(UUID jobId, Audit audit) {
		return release(RELEASE_KEY_OF_JOB, audit.details().addValue("id", jobId));
	}

	boolean releaseDigest(String scope, String digest, Audit audit) {
		if (!DIGEST.matcher(digest).matches()) {
			throw new InvalidRequestException("digest", "12 to 64 hex characters in lower case", "something else");
		}
		SqlStatement statement = FIND_KEY_HOLDERS.inSchema(this.schema);
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("scope", scope, Types.VARCHAR)
			.addValue("digest", digest, Types.VARCHAR);
		List<UUID> holders = this.transaction.execute((session) -> session.jdbc()
			.query(statement.text(), statement.bind(values), (row, index) -> row.getObject("id", UUID.class)));
		return holders.size() == 1 && releaseOf(holders.get(0), audit);
	}

	private boolean release(SqlStatement release, MapSqlParameterSource values) {
		SqlStatement statement = release.inSchema(this.schema);
		return !this.transaction
			.write("release a key",
					(session) -> session.jdbc()
						.query(statement.text(), statement.bind(values), (row, index) -> row.getObject("id")))
			.isEmpty();
	}

	/**
	 * The holder of a key, and whether its job waits for its first attempt.
	 *
	 * @param holder the holder
	 * @param unstarted whether the job waits for its first attempt
	 */
	private record Held(Holder holder, boolean unstarted) {

	}

}
