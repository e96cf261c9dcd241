package dev.workhorse.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.operations.DeadLetterFilter;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.Redrive;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/learning/retries-and-dead-letters.md}.
 */
class DeadLetterDocsIntegrationTests {

	private static CoreDatabase database;

	private static Workhorse workhorse;

	private final Jobs jobs = workhorse.jobs();

	@BeforeAll
	static void start() {
		database = CoreDatabase.create();
		workhorse = database.builder().handler(HandlerDefinition.of("charge", Integer.class, (payload, job) -> {
			throw new PermanentFailureException("The provider is down");
		})).build();
		workhorse.start();
	}

	@AfterAll
	static void stop() {
		workhorse.stop(Duration.ofSeconds(5));
		database.close();
	}

	@Test
	void deadLetterIsRunAgain() {
		UUID jobId = deadLetter();
		// tag::redrive[]
		// letter.errors(): one of each attempt
		JobDetails letter = this.jobs.find(jobId).orElseThrow();
		Redrive again = this.jobs.redrive(letter.id(), "ticket-4711", "ada", "The provider is back");
		// again.jobId(): a new job with the same payload and options
		// end::redrive[]
		assertThat(letter.errors()).hasSize(1);
		assertThat(again.created()).isTrue();
		assertThat(this.jobs.redrive(jobId, "ticket-4711", "ada", "Repeated"))
			.isEqualTo(new Redrive(again.jobId(), false));
		awaitFailure(again.jobId());
	}

	@Test
	void deadLettersOfAnOutageAreRunAgain() {
		Instant from = Instant.now().minusSeconds(60);
		Instant until = Instant.now().plusSeconds(60);
		deadLetter();
		// tag::redrive-all[]
		DeadLetterFilter outage = DeadLetterFilter.all().ofType("charge").failedBetween(from, until);
		long would = this.jobs.redriveAll(outage, "outage-1", "ada", "The provider is back", true);
		long were = this.jobs.redriveAll(outage, "outage-1", "ada", "The provider is back", false);
		// end::redrive-all[]
		assertThat(would).isPositive();
		assertThat(were).isGreaterThanOrEqualTo(would);
		Await.until("all have failed again", () -> database.count("job_run") == 0);
	}

	private static UUID deadLetter() {
		return awaitFailure(workhorse.queue().enqueue("charge", 10));
	}

	private static UUID awaitFailure(UUID job) {
		Await.value("failure of " + job, () -> workhorse.jobs().find(job).orElseThrow().state(),
				JobState.FAILED::equals);
		return job;
	}

}
