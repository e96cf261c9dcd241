package dev.workhorse.internal.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.Subscription;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.observation.Interceptors;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;
import dev.workhorse.testsupport.Await;
import org.jspecify.annotations.Nullable;

/**
 * What emits events and the nodes that dispatch them, for one test.
 */
final class Emitters implements AutoCloseable {

	/** How long is waited for what should take no time. */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	private final CoreDatabase database;

	private final List<Workhorse> running = new ArrayList<>();

	Emitters(CoreDatabase database) {
		this.database = database;
	}

	static PostgresEvents on(DataSource dataSource) {
		return on(dataSource, null, new WorkhorseListener() {
		});
	}

	static PostgresEvents on(DataSource dataSource, @Nullable Duration keyWait, WorkhorseListener listener) {
		EventSettings settings = new EventSettings(EventSettings.DEFAULTS.dedupeRetention(), keyWait,
				EventSettings.DEFAULTS.maxPayloadBytes());
		return new PostgresEvents(new CallerTransaction(dataSource), "workhorse", settings, new Jackson2PayloadCodec(),
				new KeyHasher(null), new WakeUps(), listener, new Interceptors(List.of()));
	}

	PostgresEvents events() {
		return on(this.database.dataSource());
	}

	/**
	 * Start a node that polls every 50 ms.
	 */
	Workhorse start(UnaryOperator<WorkhorseBuilder> customizer) {
		Workhorse node = customizer.apply(this.database.builder().pollInterval(Duration.ofMillis(50))).build();
		node.start();
		this.running.add(node);
		return node;
	}

	/**
	 * Declare what handlers subscribe to, and dispatch nothing.
	 */
	void declare(HandlerDefinition... handlers) {
		start((node) -> {
			List.of(handlers).forEach(node::handler);
			return node.workerEnabled(false);
		});
	}

	/**
	 * Let one node dispatch everything, and stop it. It runs no job that it has made.
	 */
	void dispatchAll() {
		Workhorse node = start((builder) -> builder.workOn("nothing", 1));
		awaitDispatch();
		node.stop(Duration.ofSeconds(5));
	}

	void awaitDispatch() {
		Await.until("all dispatched", PATIENCE,
				() -> Boolean.TRUE.equals(this.database.jdbc()
					.queryForObject("select not exists (select from workhorse.event where dispatched_at is null)",
							Boolean.class)));
	}

	/**
	 * A handler that only subscribes.
	 */
	static HandlerDefinition subscriber(String type, Subscription... subscriptions) {
		return HandlerDefinition.of(type, Object.class, (payload, context) -> null).subscribedTo(subscriptions);
	}

	/**
	 * The payloads of the jobs of a type, in the order of their events.
	 */
	List<String> payloads(String type) {
		return this.database.jdbc()
			.queryForList("select payload::text from workhorse.job where type = ? order by event ->> 'emittedAt'",
					String.class, type);
	}

	@Override
	public void close() {
		this.running.forEach((node) -> node.stop(Duration.ZERO));
		this.running.clear();
	}

	/**
	 * Remembers what was counted.
	 */
	static final class Counted implements WorkhorseListener {

		final List<String> emits = new CopyOnWriteArrayList<>();

		@Override
		public void onEmit(EmitDecided decided) {
			this.emits.add(decided.event() + " " + decided.outcome());
		}

	}

}
