package dev.workhorse.internal.event;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.Subscription;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what becomes of an event: one job of each subscriber.
 */
class FanOutIntegrationTests {

	private static CoreDatabase database;

	private final Emitters emitters = new Emitters(database);

	private final PostgresEvents events = this.emitters.events();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterEach
	void stopNodes() {
		this.emitters.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void handlerGetsThePayloadAndTheEvent() {
		List<Object> payloads = new CopyOnWriteArrayList<>();
		List<EventMetadata> seen = new CopyOnWriteArrayList<>();
		this.emitters.start((node) -> node.handler(HandlerDefinition.of("handled", Map.class, (payload, context) -> {
			payloads.add(payload);
			seen.add(context.event());
			return null;
		}).subscribedTo(Subscription.to("order.handled"))));
		UUID id = this.events.emit("order.handled", Map.of("orderId", 17), EmitOptions.defaults());
		Await.until("handled", Emitters.PATIENCE, () -> !seen.isEmpty());
		assertThat(payloads).containsExactly(Map.of("orderId", 17));
		Instant emittedAt = database.jdbc()
			.queryForObject("select emitted_at from workhorse.event where id = ?", OffsetDateTime.class, id)
			.toInstant();
		assertThat(seen).containsExactly(new EventMetadata(id, "order.handled", emittedAt));
	}

	@Test
	void dispatchFollowsTheCommitAndDoesNotWaitForThePoll() {
		Workhorse worker = this.emitters.start((node) -> node.pollInterval(Duration.ofSeconds(60))
			.handler(Emitters.subscriber("woken", Subscription.to("woken"))));
		Workhorse emitting = this.emitters
			.start((node) -> node.pollInterval(Duration.ofSeconds(60)).workerEnabled(false));
		Await.until("listening", () -> worker.workerStatus().listening());
		for (int i = 0; i < 3; i++) {
			for (Workhorse node : List.of(worker, emitting)) {
				UUID id = database.transaction().execute((status) -> node.conductor().emit("woken", 1));
				Await.until("made and run", Emitters.PATIENCE, () -> states(id).equals(List.of("succeeded")));
			}
		}
	}

	@Test
	void eventOfAnOpenTransactionIsNotDispatched() {
		// A10
		this.emitters.start((node) -> node.handler(Emitters.subscriber("open", Subscription.to("open"))));
		UUID id = database.transaction().execute((status) -> {
			UUID open = this.events.emit("open", 1, EmitOptions.defaults());
			UUID other = Race.of(1).run(() -> this.events.emit("open", 2, EmitOptions.defaults())).values().get(0);
			Await.until("the other one is dispatched", Emitters.PATIENCE, () -> !outside(other).isEmpty());
			assertThat(outside(open)).isEmpty();
			return open;
		});
		Await.until("dispatched", Emitters.PATIENCE, () -> !states(id).isEmpty());
	}

	private static List<String> outside(UUID id) {
		return Race.of(1).run(() -> states(id)).values().get(0);
	}

	private static List<String> states(UUID id) {
		return database.jdbc().queryForList("""
				select coalesce(job_run.state, job_outcome.state)
				from workhorse.job
				left join workhorse.job_run on job_run.job_id = job.id
				left join workhorse.job_outcome on job_outcome.job_id = job.id
				where job.event ->> 'id' = ?
				""", String.class, id.toString());
	}

	@Test
	void redrivenJobKnowsItsEventToo() {
		List<EventMetadata> seen = new CopyOnWriteArrayList<>();
		Workhorse node = this.emitters.start(
				(builder) -> builder.handler(new HandlerDefinition("redriven", Object.class, 1, null, (p, context) -> {
					seen.add(context.event());
					if (seen.size() == 1) {
						throw new IllegalStateException("first");
					}
					return null;
				}).subscribedTo(Subscription.to("redriven"))));
		UUID id = node.conductor().emit("redriven", 1);
		Await.until("failed", Emitters.PATIENCE, () -> states(id).equals(List.of("failed")));
		UUID job = database.jdbc().queryForObject("select id from workhorse.job where type = 'redriven'", UUID.class);
		node.jobs().redrive(job, "again", "ann", "fixed");
		Await.until("run again", Emitters.PATIENCE, () -> seen.size() == 2);
		assertThat(seen.get(1)).isEqualTo(seen.get(0)).returns(id, EventMetadata::id);
	}

	@Test
	void enqueuedJobHasNoEvent() {
		List<String> seen = new CopyOnWriteArrayList<>();
		this.emitters.start((node) -> node.handler(HandlerDefinition.of("plain", Object.class, (payload, context) -> {
			seen.add(String.valueOf(context.event()));
			return null;
		})));
		database.queue().enqueue("plain", 1);
		Await.until("run", Emitters.PATIENCE, () -> !seen.isEmpty());
		assertThat(seen).containsExactly("null");
	}

	@Test
	void eventWithoutSubscriberIsNoError() {
		UUID id = this.events.emit("nobody.cares", null, EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(id.version()).isEqualTo(7);
		assertThat(jobs("nobody.cares")).isEmpty();
	}

	@Test
	void oneTypeSubscribesToSeveralEventsAndOneEventHasManySubscribers() {
		this.emitters.declare(Emitters.subscriber("both", Subscription.to("many.a"), Subscription.to("many.b")),
				Emitters.subscriber("other", Subscription.to("many.b").queue("others")));
		this.events.emit("many.a", "a", EmitOptions.defaults());
		this.events.emit("many.b", "b", EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(jobs("many.a")).containsExactly("both default \"a\" 25 polynomial");
		assertThat(jobs("many.b")).containsExactly("both default \"b\" 25 polynomial",
				"other others \"b\" 25 polynomial");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"currency": "EUR"} | /currency = 'EUR' | true
			{"currency": "USD"} | /currency = 'EUR' | false
			{"total": 1.0} | /total = 1 | true
			{"paid": null} | /paid = null | true
			{} | /paid = null | false
			{"customer": {"tags": ["a", "b"]}} | /customer/tags/1 = "b" | true
			{"customer": {"tags": ["a", "b"]}} | /customer/tags = ["a", "b"] | true
			{"customer": {"tags": ["b", "a"]}} | /customer/tags = ["a", "b"] | false
			{"a/b": {"c~d": true}} | /a~1b/c~0d = true | true
			"EUR" | /currency = 'EUR' | false
			""")
	void filterComparesTheValuesAtItsPointers(String payload, String condition, boolean wanted) throws Exception {
		String event = "filter " + payload + condition;
		this.emitters.declare(Emitters.subscriber("filter", Subscription.to(event).where(condition)),
				Emitters.subscriber("all", Subscription.to(event)));
		Object value = new ObjectMapper().readTree(payload);
		this.events.emit(event, value, EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(jobs(event)).hasSize((wanted) ? 2 : 1);
	}

	@Test
	void subscriberGetsOnlyTheMembersItNames() {
		this.emitters.declare(
				Emitters.subscriber("subset", Subscription.to("subset").payloadFields("orderId", "absent", "lines")));
		this.events.emit("subset", Map.of("orderId", 1, "card", "secret", "lines", List.of(1, 2)),
				EmitOptions.defaults());
		this.events.emit("subset", List.of("orderId"), EmitOptions.defaults());
		this.events.emit("subset", null, EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(this.emitters.payloads("subset")).containsExactly("{\"lines\": [1, 2], \"orderId\": 1}", "{}", "{}");
	}

	@Test
	void subscriberThatIsDeclaredBeforeTheDispatchGetsTheEvent() {
		this.events.emit("late", 1, EmitOptions.defaults());
		this.emitters.declare(Emitters.subscriber("late", Subscription.to("late")));
		this.emitters.dispatchAll();
		assertThat(jobs("late")).hasSize(1);
		this.emitters.declare(Emitters.subscriber("too-late", Subscription.to("late")));
		this.emitters.dispatchAll();
		assertThat(jobs("late")).hasSize(1);
	}

	/**
	 * The jobs of an event by type.
	 */
	private static List<String> jobs(String event) {
		return database.jdbc().queryForList("""
				select concat_ws(' ', type, queue, payload, max_attempts, retry_policy)
				from workhorse.job join workhorse.job_run using (type, queue)
				where job.event ->> 'name' = ? and job_run.job_id = job.id
				order by type
				""", String.class, event);
	}

}
