package dev.workhorse.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueKey;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.KeyMode;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.KeyExplanation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeysDocsIntegrationTests {

	private static CoreDatabase database;

	private final Queue queue = database.queue();

	private final Jobs jobs = database.builder().build().jobs();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void realTime() {
		database.clock().reset();
	}

	@Test
	void previewShowsLittle() {
		assertThat(EnqueueKey.of("4711").preview()).isEqualTo("••••");
		assertThat(EnqueueKey.of("order-471100").preview()).isEqualTo("or…0");
		assertThat(EnqueueKey.of("tok_live_0123456789abcdef").preview()).isEqualTo("tok_…ef");
	}

	@Test
	void explainForetellsWhatEachRequestWouldGet() {
		String key = "payment-1001-explain";
		UUID job = this.queue.enqueue("charge", 10, EnqueueOptions.idempotency(Idempotency.key(key).scope("payments")));
		// tag::explain[]
		KeyExplanation explanation = this.jobs.explain("payments", key);
		KeyExplanation.Holder holder = explanation.holder(); // null if nobody holds it
		KeyExplanation.Forecast forecast = explanation.forecasts().get(KeyMode.IDEMPOTENCY);
		// sameRequest: "replayed", otherRequest: "conflict"
		// end::explain[]
		assertThat(Objects.requireNonNull(holder).jobId()).isEqualTo(job);
		assertThat(forecast).isEqualTo(new KeyExplanation.Forecast("replayed", "conflict"));
		database.clock().advance(Duration.ofHours(24));
		KeyExplanation later = this.jobs.explain("payments", key);
		assertThat(Objects.requireNonNull(later.holder()).live()).isFalse();
		assertThat(later.forecasts().values()).containsOnly(new KeyExplanation.Forecast("accepted", "accepted"));
	}

	@Test
	void releasedKeyIsFreeAndItsJobGoesOn() {
		String key = "payment-1002-release";
		EnqueueOptions once = EnqueueOptions.idempotency(Idempotency.key(key).scope("payments"));
		UUID job = this.queue.enqueue("charge", 10, once);
		// tag::release[]
		boolean held = this.jobs.release("payments", key, "ada", "Customer asked to be charged again");
		// end::release[]
		assertThat(held).isTrue();
		EnqueueResult next = this.queue.enqueueWithResult("charge", 10, once);
		assertThat(next.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(find(job).state()).isEqualTo(JobState.READY);
		assertThat(note(job)).contains("ada").contains("charged again");
	}

	@Test
	void jobThatIsCancelledBeforeItsStartFreesItsKey() {
		EnqueueOptions once = EnqueueOptions.idempotencyKey("payment-1003-cancel");
		UUID jobId = this.queue.enqueue("charge", 10, once);
		// tag::cancel[]
		CancelOutcome outcome = this.jobs.cancel(jobId, "ada", "Ordered by mistake");
		// end::cancel[]
		assertThat(outcome).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(find(jobId).state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.queue.enqueueWithResult("charge", 10, once).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void debouncedJobThatIsMadeDueGivesUpItsKey() {
		EnqueueOptions debounced = EnqueueOptions.debounce(Debounce.reset("product-1", Duration.ofHours(1)));
		UUID jobId = this.queue.enqueue("index", 1, debounced);
		// tag::run-now[]
		boolean wasScheduled = this.jobs.runNow(jobId, "ada", "Needed for the demo");
		// end::run-now[]
		assertThat(wasScheduled).isTrue();
		assertThat(find(jobId).state()).isEqualTo(JobState.READY);
		assertThat(this.queue.enqueueWithResult("index", 2, debounced).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void otherModesKeepTheirKeyWhenMadeDue() {
		EnqueueOptions throttled = EnqueueOptions.throttle(Throttle.key("product-2", Duration.ofHours(1)))
			.runAt(Instant.now().plusSeconds(600));
		UUID jobId = this.queue.enqueue("index", 1, throttled);
		assertThat(this.jobs.runNow(jobId, "ada", "Cannot wait")).isTrue();
		assertThat(this.jobs.runNow(jobId, "ada", "Cannot wait")).isFalse();
		assertThat(this.queue.enqueueWithResult("index", 1, throttled))
			.isEqualTo(new EnqueueResult(jobId, EnqueueOutcome.COALESCED));
	}

	@Test
	void purgeRemovesWaitingJobsWithTheirKeys() {
		EnqueueOptions once = EnqueueOptions.idempotencyKey("line-1").queue("imports");
		UUID jobId = this.queue.enqueue("import", 1, once);
		// tag::purge[]
		long removed = this.jobs.purge("imports", "ada", "Imported the wrong file");
		// end::purge[]
		assertThat(removed).isOne();
		assertThat(this.jobs.find(jobId)).isEmpty();
		assertThat(this.queue.enqueueWithResult("import", 1, once).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(note(jobId)).contains("wrong file");
	}

	private JobDetails find(UUID job) {
		return this.jobs.find(job).orElseThrow();
	}

	private static String note(UUID job) {
		return Objects.requireNonNull(database.jdbc()
			.queryForObject("select details::text from workhorse.job_event where job_id = ?", String.class, job));
	}

}
