package dev.workhorse.internal.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueKey;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.internal.job.PayloadText;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.key.Rounds;
import dev.workhorse.internal.observation.TraceContext;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.Session;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.TimeOrderedIds;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.EmitCall;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.EmitDecided;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Emits events into the caller's transaction. Their jobs are made later, by whatever node
 * dispatches them.
 */
public final class PostgresEvents {

	private static final SqlStatement EMIT_EVENT = SqlStatement.load(PostgresEvents.class, "emit-event.sql");

	private static final SqlStatement FORGET_EVENT = SqlStatement.load(PostgresEvents.class, "forget-event.sql");

	private final CallerTransaction transaction;

	private final SqlStatement emitEvent;

	private final SqlStatement forgetEvent;

	private final EventSettings settings;

	private final PayloadText payloads;

	private final KeyHasher hasher;

	private final KeyWait keyWait;

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	private final WorkhorseInterceptor interceptor;

	private final TimeOrderedIds ids = new TimeOrderedIds();

	public PostgresEvents(CallerTransaction transaction, String schema, EventSettings settings, PayloadCodec codec,
			KeyHasher hasher, WakeUps wakeUps, WorkhorseListener listener, WorkhorseInterceptor interceptor) {
		this.transaction = transaction;
		this.emitEvent = EMIT_EVENT.inSchema(schema);
		this.forgetEvent = FORGET_EVENT.inSchema(schema);
		this.settings = settings;
		this.payloads = new PayloadText(codec, settings.maxPayloadBytes());
		this.hasher = hasher;
		this.keyWait = new KeyWait(settings.keyWait());
		this.wakeUps = wakeUps;
		this.listener = listener;
		this.interceptor = interceptor;
	}

	/**
	 * Emit an event unless its dedupe key is held.
	 * @param event the event's name
	 * @param payload what subscribers are given
	 * @param options the dedupe key
	 * @return the event's id, or that of the event that holds the key
	 */
	public UUID emit(String event, @Nullable Object payload, EmitOptions options) {
		Bounds.name("event", event);
		String json = this.payloads.write(payload);
		this.payloads.canonical(json);
		EnqueueKey key = options.dedupeKey();
		EnqueueKey scoped = (key != null) ? new EnqueueKey(event, key.value()) : null;
		MapSqlParameterSource values = values(event, json, scoped);
		EmitCall call = new EmitCall(event);
		return this.interceptor.aroundEmit(call, () -> {
			values.addValue("trace_context", TraceContext.write(call.traceContext()), Types.VARCHAR);
			Emitted emitted = this.transaction.write("emit", (session) -> settle(session, values, scoped));
			EmitDecided decided = new EmitDecided(emitted.id(), event, (emitted.repeated()) ? "repeated" : "emitted");
			call.decision(decided);
			this.transaction.afterCommit(() -> announce(emitted, decided));
			return emitted.id();
		});
	}

	private MapSqlParameterSource values(String event, String json, @Nullable EnqueueKey key) {
		return new MapSqlParameterSource("id", this.ids.next()).addValue("name", event, Types.VARCHAR)
			.addValue("payload", json, Types.VARCHAR)
			.addValue("retention_ms", this.settings.dedupeRetention().toMillis())
			.addValue("key_hash", (key != null) ? this.hasher.digest(KeySpace.EVENT, key).bytes() : null, Types.BINARY)
			.addValue("key_preview", (key != null) ? key.preview() : null, Types.VARCHAR)
			.addValue("key_length", (key != null) ? key.length() : null, Types.SMALLINT);
	}

	private Emitted settle(Session session, MapSqlParameterSource values, @Nullable EnqueueKey key) {
		if (key == null) {
			return attempt(session, values).decided();
		}
		Supplier<String> keys = () -> "Key " + key;
		for (int round = 0; round < Rounds.MOST; round++) {
			Attempt attempt = this.keyWait.bounded(session, keys, () -> attempt(session, values));
			UUID held = attempt.held();
			if (attempt.emitted() != null || (held != null && attempt.live())) {
				return attempt.decided();
			}
			if (held != null) {
				session.begin();
				this.keyWait.bounded(session, keys, () -> forget(session, values, held));
			}
		}
		throw Rounds.exhausted(keys.get(), "call");
	}

	private Attempt attempt(Session session, MapSqlParameterSource values) {
		return DataAccessUtils.requiredSingleResult(
				session.jdbc().query(this.emitEvent.text(), this.emitEvent.bind(values), PostgresEvents::attempt));
	}

	private static Attempt attempt(ResultSet row, int index) throws SQLException {
		return new Attempt(row.getObject("emitted_id", UUID.class), row.getObject("held_id", UUID.class),
				row.getBoolean("held_live"));
	}

	private int forget(Session session, MapSqlParameterSource values, UUID held) {
		MapSqlParameterSource id = new MapSqlParameterSource("id", held).addValue("retention_ms",
				values.getValue("retention_ms"));
		return session.jdbc().update(this.forgetEvent.text(), this.forgetEvent.bind(id));
	}

	private void announce(Emitted emitted, EmitDecided decided) {
		if (!emitted.repeated()) {
			this.wakeUps.emitted();
		}
		this.listener.onEmit(decided);
	}

	/**
	 * What one statement did, or found in its way. Nothing of both when another
	 * transaction won the key after the statement had begun.
	 *
	 * @param emitted the new event
	 * @param held the event that holds the key
	 * @param live whether that is still remembered
	 */
	private record Attempt(@Nullable UUID emitted, @Nullable UUID held, boolean live) {

		Emitted decided() {
			UUID id = (this.emitted != null) ? this.emitted : this.held;
			return new Emitted(Objects.requireNonNull(id), this.emitted == null);
		}

	}

	/**
	 * The event that stands for a call.
	 *
	 * @param id its id
	 * @param repeated whether it was emitted by an earlier call
	 */
	private record Emitted(UUID id, boolean repeated) {

	}

}
