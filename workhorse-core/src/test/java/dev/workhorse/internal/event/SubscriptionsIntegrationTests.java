package dev.workhorse.internal.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.workhorse.CoreDatabase;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.Subscription;
import dev.workhorse.operations.DeclaredSubscription;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;
import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for declaring subscriptions and ending them.
 */
class SubscriptionsIntegrationTests {

	private static CoreDatabase database;

	private final Emitters emitters = new Emitters(database);

	private final Jobs jobs = database.builder().build().jobs();

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

	private List<DeclaredSubscription> subscriptions(String event) {
		return this.jobs.subscriptions().stream().filter((declared) -> declared.event().equals(event)).toList();
	}

	@Test
	void restartChangesNothingAndAChangeIsApplied() {
		// H7 (ratchet-run/ratchet#119)
		Subscription subscription = Subscription.to("restart").where("/a = 1").where("/b/c", "'x'").payloadFields("d");
		this.emitters.declare(Emitters.subscriber("restarted", subscription));
		List<DeclaredSubscription> declared = subscriptions("restart");
		assertThat(declared).singleElement()
			.returns("restarted", DeclaredSubscription::type)
			.returns("default", DeclaredSubscription::queue)
			.returns("{\"/a\": 1, \"/b/c\": \"x\"}", DeclaredSubscription::filter)
			.returns(List.of("d"), DeclaredSubscription::payloadFields)
			.returns(null, DeclaredSubscription::endedAt);
		this.emitters.declare(Emitters.subscriber("restarted", subscription));
		assertThat(subscriptions("restart")).isEqualTo(declared);
		this.emitters.declare(Emitters.subscriber("restarted", Subscription.to("restart").queue("other")));
		assertThat(subscriptions("restart")).singleElement()
			.returns("other", DeclaredSubscription::queue)
			.returns(null, DeclaredSubscription::filter)
			.returns(List.of(), DeclaredSubscription::payloadFields);
	}

	@Test
	void twoNodesThatStartAtOnceDeclareTheSame() {
		HandlerDefinition[] handlers = new HandlerDefinition[20];
		for (int i = 0; i < handlers.length; i++) {
			handlers[i] = Emitters.subscriber("at-once-" + i, Subscription.to("z"), Subscription.to("at-once"));
		}
		CountDownLatch inTheWay = new CountDownLatch(1);
		Race.Outcomes<Boolean> outcomes = Race.of(3).run((thread) -> {
			if (thread == 0) {
				holdTheMiddle(inTheWay);
			}
			else {
				inTheWay.await(10, TimeUnit.SECONDS);
				declare(handlers, thread == 1);
			}
			return true;
		});
		assertThat(outcomes.failures()).isEmpty();
		assertThat(subscriptions("at-once")).hasSize(20);
	}

	/**
	 * Let both nodes get half way before one of them can go on.
	 */
	private static void holdTheMiddle(CountDownLatch inTheWay) {
		database.transaction().executeWithoutResult((status) -> {
			database.jdbc()
				.update("insert into workhorse.subscription"
						+ " (event, type, queue, max_attempts, retry_policy, declared_at)"
						+ " values ('at-once', 'at-once-10', 'x', 1, 'polynomial', workhorse.clock())");
			inTheWay.countDown();
			database.awaitLockWaiters(2);
			status.setRollbackOnly();
		});
	}

	private static void declare(HandlerDefinition[] handlers, boolean ascending) {
		WorkhorseBuilder builder = database.builder().workerEnabled(false);
		for (int i = 0; i < handlers.length; i++) {
			builder.handler(handlers[(ascending) ? i : handlers.length - 1 - i]);
		}
		Workhorse node = builder.build();
		node.start();
		node.stop(Duration.ZERO);
	}

	@Test
	void subscriptionThatIsNotDeclaredAnyMoreGoesOnUntilItIsEnded() {
		this.emitters.declare(Emitters.subscriber("old", Subscription.to("ended")));
		this.emitters.declare(Emitters.subscriber("new", Subscription.to("ended")));
		PostgresEvents events = this.emitters.events();
		events.emit("ended", "before", EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(this.jobs.endSubscription("ended", "old", "ann", "replaced by new")).isTrue();
		assertThat(this.jobs.endSubscription("ended", "old", "bob", "again")).isFalse();
		assertThat(this.jobs.endSubscription("ended", "nobody", "bob", "none")).isFalse();
		assertThat(subscriptions("ended")).element(1)
			.returns("old", DeclaredSubscription::type)
			.returns("ann", DeclaredSubscription::endedBy)
			.returns("replaced by new", DeclaredSubscription::endReason)
			.satisfies((ended) -> assertThat(ended.endedAt()).isNotNull());
		events.emit("ended", "after", EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(this.emitters.payloads("old")).containsExactly("\"before\"");
		assertThat(this.emitters.payloads("new")).containsExactly("\"before\"", "\"after\"");
		this.emitters.declare(Emitters.subscriber("old", Subscription.to("ended")));
		assertThat(subscriptions("ended")).element(1)
			.returns(null, DeclaredSubscription::endedAt)
			.returns(null, DeclaredSubscription::endedBy);
	}

	@Test
	void endIsPartOfTheCallersTransactionAndNeedsAPersonAndAReason() {
		this.emitters.declare(Emitters.subscriber("kept", Subscription.to("kept")));
		database.transaction().executeWithoutResult((status) -> {
			assertThat(this.jobs.endSubscription("kept", "kept", "ann", "by mistake")).isTrue();
			status.setRollbackOnly();
		});
		assertThat(subscriptions("kept")).singleElement().returns(null, DeclaredSubscription::endedAt);
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.jobs.endSubscription("kept", "kept", "ann", " "));
	}

	@Test
	void jobsGetTheAttemptsAndTheRetryPolicyOfTheirHandlerOrOfItsApplication() {
		this.emitters.start((node) -> node.workerEnabled(false)
			.maxAttempts(7)
			.retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(1)))
			.handler(Emitters.subscriber("of-application", Subscription.to("attempts")))
			.handler(new HandlerDefinition("of-handler", Object.class, 3, null, (payload, context) -> null)
				.subscribedTo(Subscription.to("attempts"))));
		this.emitters.events().emit("attempts", 1, EmitOptions.defaults());
		this.emitters.dispatchAll();
		assertThat(database.jdbc()
			.queryForList("select concat_ws(' ', type, max_attempts, retry_policy) from workhorse.job"
					+ " where event ->> 'name' = 'attempts' order by type", String.class))
			.containsExactly("of-application 7 fixed:PT1M", "of-handler 3 fixed:PT1M");
	}

	@ParameterizedTest
	@ValueSource(strings = { "currency = 1", "/a", "/a = b", "/a = ", "/a = 1 2", "/a~2 = 1", "/a = '\\u0000'" })
	void filterThatIsNoConditionIsRefused(String condition) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> Subscription.to("refused").where(condition))
			.withMessageContaining("filter");
	}

	@Test
	void subscriptionHasBounds() {
		Subscription most = Subscription.to("bounds");
		for (int i = 0; i < 8; i++) {
			most = most.where("/" + i + " = 1");
		}
		Subscription full = most;
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> full.where("/8 = 1"))
			.withMessageContaining("at most 8");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> full.where("/7 = 2"))
			.withMessageContaining("one value for each pointer");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> Subscription.to(" "));
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> Emitters.subscriber("twice", Subscription.to("a"), Subscription.to("a")))
			.withMessageContaining("'a' twice");
	}

}
