package dev.workhorse.internal.event;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.Subscription;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each subscriber gets each event once, whatever becomes of the nodes that dispatch it.
 */
class DispatchFaultsIntegrationTests {

	private static final int SUBSCRIBERS = 100;

	private static CoreDatabase database;

	private final Emitters emitters = new Emitters(database);

	private final PostgresEvents events = this.emitters.events();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		HandlerDefinition[] subscribers = IntStream.range(0, SUBSCRIBERS)
			.mapToObj((i) -> Emitters.subscriber("subscriber-%02d".formatted(i), Subscription.to("crash"),
					Subscription.to("race").where("/odd = " + (i % 2 == 1))))
			.toArray(HandlerDefinition[]::new);
		try (Emitters declaring = new Emitters(database)) {
			declaring.declare(subscribers);
		}
	}

	@AfterEach
	void stopNodes() {
		this.emitters.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nodeKilledBetweenSubscribersIsFollowedByAnotherThatGoesOn(boolean sessionKilledToo) {
		// H3
		UUID id = this.events.emit("crash", 1, EmitOptions.defaults());
		try (ChildJvm child = ChildJvm.of(DispatchingJvm.class).args(database.database().jdbcUrl()).start()) {
			database.transaction().executeWithoutResult((status) -> {
				// in the way of the job of the 51st subscriber
				database.jdbc()
					.update("""
							insert into workhorse.job
							  (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
							select cast(substr(cast(e.id as text), 1, 19) || '8' || substr(hex, 1, 3) || '-' || substr(hex, 4, 12)
							  as uuid), 'in-the-way', 'x', '1', 0, 1, 'polynomial', workhorse.clock()
							from (select cast(? as uuid) as id) as e
							cross join lateral (
							  select encode(sha256(convert_to(cast(e.id as text) || ' subscriber-50', 'UTF8')), 'hex') as hex
							) as digest
							""",
							id);
				database.awaitLockWaiters(1);
				child.kill9();
				if (sessionKilledToo) {
					database.jdbc()
						.queryForList("select pg_terminate_backend(pid) from pg_stat_activity"
								+ " where datname = current_database() and application_name = 'dispatching-jvm'");
				}
				status.setRollbackOnly();
			});
		}
		Await.until("no session of the killed node", () -> Integer.valueOf(0)
			.equals(database.jdbc()
				.queryForObject("select count(*) from pg_stat_activity where application_name = 'dispatching-jvm'",
						Integer.class)));
		assertThat(jobs(id)).isBetween(40, 60);
		this.emitters.dispatchAll();
		assertThat(types(id))
			.isEqualTo(IntStream.range(0, SUBSCRIBERS).mapToObj("subscriber-%02d"::formatted).toList());
	}

	@Test
	void severalNodesRaceAndEachEventMakesOneJobOfEachSubscriberThatWantsIt() {
		int count = 300;
		for (int i = 0; i < 4; i++) {
			this.emitters.start((node) -> node.workOn("nothing", 1));
		}
		List<UUID> ids = IntStream.range(0, count)
			.mapToObj((i) -> this.events.emit("race", Map.of("odd", i % 2 == 1), EmitOptions.defaults()))
			.toList();
		this.emitters.awaitDispatch();
		for (int i = 0; i < count; i++) {
			int odd = i % 2;
			assertThat(types(ids.get(i))).as("types of event %d", i)
				.isEqualTo(IntStream.range(0, SUBSCRIBERS)
					.filter((number) -> number % 2 == odd)
					.mapToObj("subscriber-%02d"::formatted)
					.toList());
		}
	}

	@Test
	void eventThatAnotherTransactionHoldsDelaysNoOther() {
		UUID locked = this.events.emit("race", Map.of("odd", true), EmitOptions.defaults());
		UUID[] free = new UUID[1];
		database.transaction().executeWithoutResult((status) -> {
			database.jdbc().queryForList("select id from workhorse.event where id = ? for update", locked);
			free[0] = Race.of(1)
				.run(() -> this.events.emit("race", Map.of("odd", true), EmitOptions.defaults()))
				.values()
				.get(0);
			this.emitters.start((node) -> node.workOn("nothing", 1));
			Await.until("dispatched", Emitters.PATIENCE, () -> dispatched(free[0]));
			assertThat(jobs(locked)).isZero();
		});
		Await.until("dispatched later", Emitters.PATIENCE, () -> dispatched(locked));
		assertThat(jobs(locked)).isEqualTo(50);
	}

	private static boolean dispatched(UUID id) {
		return Race.of(1)
			.run(() -> database.jdbc()
				.queryForObject("select dispatched_at is not null from workhorse.event where id = ?", Boolean.class,
						id))
			.values()
			.contains(true);
	}

	private static int jobs(UUID id) {
		return types(id).size();
	}

	private static List<String> types(UUID id) {
		return database.jdbc()
			.queryForList("select type from workhorse.job where event ->> 'id' = ? order by type", String.class,
					id.toString());
	}

}
