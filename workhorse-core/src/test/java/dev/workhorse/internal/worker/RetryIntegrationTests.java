package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.Handler;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.RetryLaterException;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what follows a failed attempt.
 */
class RetryIntegrationTests {

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

	@Test
	void fixedPolicyRetriesUntilItSucceeds() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("fixed", String.class, (payload, context) -> {
			if (context.attempt() < 3) {
				throw new IllegalStateException("attempt " + context.attempt());
			}
			return "done";
		})));
		UUID job = database.queue()
			.enqueue("fixed", "x", EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50))));
		JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
		assertThat(done.attempt()).isEqualTo(3);
		assertThat(done.errors()).extracting(JobDetails.AttemptError::message)
			.containsExactly("attempt 1", "attempt 2");
		assertThat(Duration.between(done.errors().get(0).at(), done.errors().get(1).at()))
			.isGreaterThanOrEqualTo(Duration.ofMillis(50));
	}

	@Test
	void exceptionThatIsNotRetriedFailsTheJobAtOnceAndItsSubclassesToo() {
		HandlerDefinition handler = HandlerDefinition.of("picky", Boolean.class, (bad, context) -> {
			if (Boolean.TRUE.equals(bad)) {
				throw new NumberFormatException("not a number");
			}
			if (context.attempt() == 1) {
				throw new IllegalStateException("try again");
			}
			return null;
		});
		this.nodes.start((node) -> node.handler(handler.withoutRetryFor(List.of(IllegalArgumentException.class))));
		EnqueueOptions options = EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)));
		UUID bad = database.queue().enqueue("picky", true, options);
		UUID good = database.queue().enqueue("picky", false, options);
		assertThat(this.nodes.await(bad, JobState.FAILED).attempt()).isOne();
		assertThat(this.nodes.await(good, JobState.SUCCEEDED).attempt()).isEqualTo(2);
	}

	@Test
	void exhaustedJobKeepsTheErrorOfEveryAttempt() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("hopeless", String.class, (payload, context) -> {
			throw new IllegalStateException("attempt " + context.attempt() + " of " + context.maxAttempts());
		})));
		UUID job = database.queue()
			.enqueue("hopeless", "x",
					EnqueueOptions.defaults()
						.maxAttempts(3)
						.retryPolicy(RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2))));
		JobDetails failed = this.nodes.await(job, JobState.FAILED);
		assertThat(failed.attempt()).isEqualTo(3);
		assertThat(failed.errors()).extracting(JobDetails.AttemptError::message)
			.containsExactly("attempt 1 of 3", "attempt 2 of 3", "attempt 3 of 3");
		assertThat(failed.errors())
			.allSatisfy((error) -> assertThat(error.stack()).startsWith(IllegalStateException.class.getName())
				.contains("RetryIntegrationTests"));
	}

	@Test
	void handlerChoosesTheDelayItself() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("later", String.class, (payload, context) -> {
			throw new RetryLaterException("come back", Duration.ofHours(1));
		})));
		UUID job = database.queue()
			.enqueue("later", "x", EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))));
		JobDetails waiting = this.nodes.await(job, JobState.SCHEDULED);
		assertThat(waiting.attempt()).isEqualTo(1);
		assertThat(Duration.between(waiting.errors().get(0).at(), waiting.runAt())).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void permanentFailureEndsTheJobNow() {
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("permanent", String.class, (payload, context) -> {
			throw new PermanentFailureException("no such account");
		})));
		UUID job = database.queue().enqueue("permanent", "x", EnqueueOptions.defaults().maxAttempts(9));
		JobDetails failed = this.nodes.await(job, JobState.FAILED);
		assertThat(failed.attempt()).isEqualTo(1);
		assertThat(failed.errors()).extracting(JobDetails.AttemptError::message).containsExactly("no such account");
	}

	@Test
	void jobsOwnLimitsWinOverTheHandlersAndThoseOverTheDefault() {
		List<String> seen = new CopyOnWriteArrayList<>();
		Handler handler = (payload, context) -> {
			seen.add(payload + " " + context.maxAttempts());
			throw new IllegalStateException("no");
		};
		this.nodes.start((node) -> node
			.handler(new HandlerDefinition("own", String.class, 2, RetryPolicy.fixed(Duration.ofMinutes(10)), handler))
			.handler(HandlerDefinition.of("none", String.class, handler)));
		Queue queue = database.queue();
		UUID explicit = queue.enqueue("own", "explicit",
				EnqueueOptions.defaults().maxAttempts(7).retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(5))));
		UUID ofHandler = queue.enqueue("own", "handler");
		UUID ofDefault = queue.enqueue("none", "default");
		assertThat(delay(explicit)).isEqualTo(Duration.ofMinutes(5));
		assertThat(delay(ofHandler)).isEqualTo(Duration.ofMinutes(10));
		assertThat(delay(ofDefault)).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(18));
		assertThat(seen).containsExactlyInAnyOrder("explicit 7", "handler 2", "default 25");
	}

	private Duration delay(UUID job) {
		JobDetails waiting = this.nodes.await(job, JobState.SCHEDULED);
		return Duration.between(waiting.errors().get(0).at(), waiting.runAt());
	}

}
