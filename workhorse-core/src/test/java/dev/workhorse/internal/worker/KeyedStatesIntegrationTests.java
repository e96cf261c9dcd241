package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a key stands in the way of no change of state, neither of its own jobs nor
 * of others.
 */
class KeyedStatesIntegrationTests {

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
	void retryAndNewJobOfOneKeyAreClaimedTogether() {
		// F1 (timgit/pg-boss#535, #536, #610), F3 (oban-bg/oban#1416, #1259)
		CountDownLatch fail = new CountDownLatch(1);
		Workhorse first = start(fail, "both");
		EnqueueResult failing = debounce("both");
		this.nodes.await(failing.jobId(), JobState.RUNNING);
		EnqueueResult next = debounce("both");
		assertThat(next).returns(EnqueueOutcome.ACCEPTED, EnqueueResult::outcome);
		assertThat(next.jobId()).isNotEqualTo(failing.jobId());
		fail.countDown();
		Await.until("retry", Nodes.PATIENCE, () -> this.nodes.job(failing.jobId()).state() == JobState.SCHEDULED);
		first.stop(Duration.ofSeconds(5));
		Queue queue = database.queue();
		List<UUID> jobs = new ArrayList<>(List.of(failing.jobId(), next.jobId()));
		for (int i = 0; i < 8; i++) {
			jobs.add(queue.enqueue("both", "other", EnqueueOptions.idempotencyKey("other-" + i).queue("both")));
		}
		// all due at once, in one promotion and one claim
		database.jdbc()
			.update("update workhorse.job_run set state = 'scheduled', run_at = workhorse.clock() where queue = 'both'");
		PostgresPromotion promotion = new PostgresPromotion(database.jdbc(), "workhorse");
		assertThat(promotion.promote(false).queues()).containsExactly("both");
		assertThat(database.count("job_run where queue = 'both' and state = 'ready'")).isEqualTo(jobs.size());
		start(fail, "both");
		for (UUID job : jobs) {
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(job.equals(failing.jobId()) ? 2 : 1,
					JobDetails::attempt);
		}
	}

	@Test
	void scheduledJobDoesNotStandInItsOwnWay() {
		// F5 (riverqueue/river#619)
		Queue queue = database.queue();
		Instant due = Instant.now().plusMillis(500);
		EnqueueOptions options = EnqueueOptions.idempotencyKey("own-way").runAt(due).queue("own");
		UUID job = queue.enqueue("own", "other", options);
		assertThat(this.nodes.job(job).state()).isEqualTo(JobState.SCHEDULED);
		start(new CountDownLatch(0), "own");
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt);
		assertThat(queue.enqueueWithResult("own", "other", options)).returns(job, EnqueueResult::jobId)
			.returns(EnqueueOutcome.REPLAYED, EnqueueResult::outcome);
	}

	/** The first attempt of a debounced job fails. */
	private Workhorse start(CountDownLatch fail, String queue) {
		return this.nodes.start((builder) -> builder.workOn(queue, 10)
			.handler(HandlerDefinition.of(queue, String.class, (payload, context) -> {
				if (payload.equals("debounced") && context.attempt() == 1 && fail.getCount() > 0) {
					fail.await();
					throw new IllegalStateException("first attempt");
				}
				return payload;
			})));
	}

	private static EnqueueResult debounce(String queue) {
		return database.queue()
			.enqueueWithResult(queue, "debounced",
					EnqueueOptions.debounce(Debounce.reset("key", Duration.ofMillis(300)))
						.queue(queue)
						.retryPolicy(RetryPolicy.fixed(Duration.ofHours(1))));
	}

}
