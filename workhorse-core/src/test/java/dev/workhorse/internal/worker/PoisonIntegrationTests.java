package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.Handler;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that try to break the worker. G17 (poison payloads and results).
 */
class PoisonIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private Workhorse node(Handler handler) {
		return this.nodes.start((node) -> node.maxPayloadBytes(1024 * 1024)
			.workOn("poison", 1)
			.handler(new HandlerDefinition("poison", Integer.class, 1, null, handler))
			.handler(HandlerDefinition.of("healthy", String.class, (payload, context) -> "fine")));
	}

	private JobDetails.AttemptError error(Workhorse node, Object payload) {
		UUID poison = node.queue().enqueue("poison", payload, EnqueueOptions.defaults().queue("poison").priority(9));
		UUID healthy = node.queue().enqueue("healthy", "x", EnqueueOptions.defaults().queue("poison"));
		JobDetails failed = this.nodes.await(poison, JobState.FAILED);
		assertThat(failed.attempt()).isEqualTo(1);
		this.nodes.await(healthy, JobState.SUCCEEDED);
		return failed.errors().get(0);
	}

	@Test
	void payloadThatDoesNotFitTheHandlersType() {
		Workhorse node = node((payload, context) -> payload);
		assertThat(error(node, List.of("not", "a", "number")).message()).contains("Cannot read the payload as");
	}

	@Test
	void resultWithNul() {
		assertThat(error(node((payload, context) -> "a\0b"), 1).message()).contains("result");
	}

	@Test
	void resultTooLarge() {
		assertThat(error(node((payload, context) -> "x".repeat(2 * 1024 * 1024)), 1).message()).contains("result");
	}

	@Test
	void resultThatIsNoJson() {
		assertThat(error(node((payload, context) -> Double.NaN), 1).message()).contains("result");
	}

	@Test
	void stackOverflow() {
		assertThat(error(node((payload, context) -> endless(1)), 1)).returns(StackOverflowError.class.getName(),
				JobDetails.AttemptError::type);
	}

	@SuppressWarnings("InfiniteRecursion")
	private static int endless(int depth) {
		return 1 + endless(depth + 1);
	}

	@Test
	void missingClass() {
		assertThat(error(node((payload, context) -> {
			throw new NoClassDefFoundError("com/example/Gone");
		}), 1).message()).isEqualTo("com/example/Gone");
	}

	@Test
	void exceptionWhoseMethodsThrow() {
		JobDetails.AttemptError error = error(node((payload, context) -> {
			throw new HostileException();
		}), 1);
		assertThat(error.type()).isEqualTo(HostileException.class.getName());
		assertThat(error.message()).isEqualTo("no message: %s.getMessage() threw java.lang.StackOverflowError"
			.formatted(HostileException.class.getName()));
		assertThat(error.stack()).contains("PoisonIntegrationTests");
	}

	@Test
	void hugeAndUnstorableMessage() {
		JobDetails.AttemptError error = error(node((payload, context) -> {
			throw new IllegalStateException("a\0b\uD800c" + "x".repeat(5_000_000));
		}), 1);
		assertThat(error.message()).startsWith("a\uFFFDb\uFFFDc").hasSizeLessThan(2_100);
		assertThat(error.stack()).hasSizeLessThan(8_100).contains("PoisonIntegrationTests");
	}

	@Test
	void interruptedFlagLeftBehind() {
		Workhorse node = node((payload, context) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted");
		});
		assertThat(error(node, 1).message()).isEqualTo("interrupted");
	}

	@Test
	void listenerThatThrowsAnError() {
		Workhorse node = this.nodes.start((builder) -> builder.workOn("listened", 1).listener(new WorkhorseListener() {

			@Override
			public void onClaim(String queue, int jobs) {
				throw new NoClassDefFoundError("listener");
			}

			@Override
			public void onAttemptEnd(AttemptEnded ended) {
				throw new NoClassDefFoundError("listener");
			}

		}).handler(HandlerDefinition.of("listened", String.class, (payload, context) -> null)));
		for (int i = 0; i < 3; i++) {
			UUID job = node.queue().enqueue("listened", "x", EnqueueOptions.defaults().queue("listened"));
			this.nodes.await(job, JobState.SUCCEEDED);
		}
		Await.until("nothing in hand", () -> node.workerStatus().inHand().equals(Map.of("listened", 0)));
	}

	@Test
	void unstorableEndDoesNotHoldBackTheOthersOfItsBatch() {
		List<Settlement> settled = new CopyOnWriteArrayList<>();
		Attempts attempts = new Attempts(database);
		PostgresLeases leases = new PostgresLeases(database.jdbc(), "workhorse", Nodes.LEASE);
		Completer completer = new Completer(new PostgresSettlements(database.jdbc(), "workhorse"), leases,
				new Observer() {

					@Override
					public void settled(Settlement settlement) {
						settled.add(settlement);
					}

					@Override
					public void leaseLost(Attempt attempt) {
					}

					@Override
					public void cancelRequested(Attempt attempt, boolean interrupt) {
					}

				}, attempts.progress());
		for (int i = 0; i < 20; i++) {
			database.queue().enqueue("batch", i, EnqueueOptions.defaults().queue("batch"));
		}
		HandlerDefinition handler = HandlerDefinition.of("batch", Integer.class, (payload, context) -> null);
		UUID poison = null;
		for (ClaimedJob job : leases.claim(UUID.randomUUID(), "batch", List.of("batch"), 20)) {
			Attempt attempt = attempts.of(job, handler);
			attempt.end();
			boolean bad = settled.isEmpty() && poison == null;
			poison = (bad) ? attempt.jobId() : poison;
			completer.settle(Settlement.succeeded(attempt, (bad) ? "\"\\u0000\"" : "1", Duration.ZERO));
		}
		completer.start();
		Await.until("all settled", () -> settled.size() == 20);
		completer.stop(System.nanoTime() + Duration.ofSeconds(5).toNanos());
		assertThat(settled).filteredOn((end) -> end.end() == Settlement.End.SUCCEEDED).hasSize(19);
		JobDetails failed = this.nodes.job(Objects.requireNonNull(poison));
		assertThat(failed.state()).isEqualTo(JobState.FAILED);
		assertThat(failed.errors().get(0).message()).startsWith("The end of the attempt cannot be stored");
	}

	@SuppressWarnings("serial")
	private static final class HostileException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new StackOverflowError();
		}

		@Override
		public String toString() {
			throw new IllegalStateException("toString");
		}

	}

}
