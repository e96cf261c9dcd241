package dev.workhorse.internal.worker;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs whose last attempt lost its lease.
 */
class ExhaustedAttemptsIntegrationTests {

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
	void jobFailsWithTheNumberOfAttemptsItHadAndTheReason() {
		UUID job = database.queue().enqueue("last", "x", EnqueueOptions.defaults().maxAttempts(2));
		loseLeaseOf(job, 2);
		List<WorkhorseListener.AttemptEnded> ends = new CopyOnWriteArrayList<>();
		AtomicInteger runs = new AtomicInteger();
		this.nodes.start((node) -> node.listener(new WorkhorseListener() {

			@Override
			public void onAttemptEnd(AttemptEnded ended) {
				ends.add(ended);
			}

		}).handler(HandlerDefinition.of("last", String.class, (payload, context) -> runs.incrementAndGet())));
		JobDetails failed = this.nodes.await(job, JobState.FAILED);
		assertThat(failed.attempt()).isEqualTo(2);
		assertThat(failed.errors()).hasSize(2);
		assertThat(failed.errors().get(0).kind()).isEqualTo("lease-expired");
		assertThat(failed.errors().get(1)).returns(2, JobDetails.AttemptError::attempt)
			.returns("attempts-exhausted", JobDetails.AttemptError::type)
			.returns(
					"Attempt 2 was the last of 2: it lost its lease before its end was stored, because its node died or"
							+ " could not reach the database",
					JobDetails.AttemptError::message);
		assertThat(runs).hasValue(0);
		Await.until("told", () -> ends.size() == 1);
		assertThat(ends.get(0)).returns(2, WorkhorseListener.AttemptEnded::attempt)
			.returns("failed", WorkhorseListener.AttemptEnded::end);
	}

	@Test
	void limitLoweredInBetweenIsNamed() {
		UUID job = database.queue().enqueue("lowered", "x");
		loseLeaseOf(job, 5);
		this.nodes.start((node) -> node
			.handler(new HandlerDefinition("lowered", String.class, 3, null, (payload, context) -> null)));
		JobDetails failed = this.nodes.await(job, JobState.FAILED);
		assertThat(failed.attempt()).isEqualTo(5);
		assertThat(failed.errors().get(1).message())
			.isEqualTo("Attempt 5 was the last of 3: fewer attempts are allowed than when it began");
	}

	private static void loseLeaseOf(UUID job, int attempt) {
		database.jdbc()
			.update("""
					update workhorse.job_run
					set state = 'running', attempt = ?, fence = 10, worker = gen_random_uuid(),
					    started_at = workhorse.clock() - interval '1 minute', lease_until = workhorse.clock() - interval '1 s'
					where job_id = ?
					""",
					attempt, job);
	}

}
