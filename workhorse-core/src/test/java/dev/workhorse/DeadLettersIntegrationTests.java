package dev.workhorse;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.operations.DeadLetter;
import dev.workhorse.operations.DeadLetterFilter;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.NotADeadLetterException;
import dev.workhorse.operations.Page;
import dev.workhorse.operations.Redrive;
import dev.workhorse.testsupport.Race;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Listing dead letters and running them again.
 */
class DeadLettersIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final AtomicInteger TYPES = new AtomicInteger();

	private final String type = "dead-" + TYPES.incrementAndGet();

	private Jobs jobs;

	@BeforeEach
	void createJobs() {
		this.jobs = database.builder().build().jobs();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void redriveIsANewJobLinkedBothWaysAndLeavesTheOldOneAndItsKeyAlone() {
		// E11 (inngest/inngest#593)
		EnqueueOptions options = EnqueueOptions.idempotencyKey(this.type)
			.priority(4)
			.tags("a")
			.maxAttempts(7)
			.concurrencyKey("group")
			.deadline(Instant.now().plusSeconds(60));
		UUID dead = database.queue().enqueue(this.type, Map.of("n", 1), options);
		StoredState.FAILED.bringAbout(database.jdbc(), dead);
		Map<String, @Nullable Object> before = database.snapshot(dead);
		Redrive redrive = this.jobs.redrive(dead, "request-" + this.type, "ada", "fixed the bug");
		assertThat(redrive.created()).isTrue();
		assertThat(redrive.jobId()).isNotEqualTo(dead);
		assertThat(database.snapshot(dead)).isEqualTo(before);
		assertThat(this.jobs.find(redrive.jobId())).get().satisfies((job) -> {
			assertThat(job.redriveOf()).isEqualTo(dead);
			assertThat(job.state()).isEqualTo(JobState.READY);
			assertThat(job.payload()).isEqualTo("{\"n\": 1}");
			assertThat(job.priority()).isEqualTo(4);
			assertThat(job.tags()).containsExactly("a");
			assertThat(job.maxAttempts()).isEqualTo(7);
		});
		assertThat(letters()).singleElement()
			.satisfies((letter) -> assertThat(letter.redrivenAs()).containsExactly(redrive.jobId()));
		assertThat(database.queue().enqueueWithResult(this.type, Map.of("n", 1), options))
			.isEqualTo(new EnqueueResult(dead, EnqueueOutcome.REPLAYED));
		assertThat(database.jdbc()
			.queryForObject("select details::text from workhorse.job_event where job_id = ? and kind = 'redriven'",
					String.class, dead))
			.contains("ada", "fixed the bug");
	}

	@Test
	void sameRequestIdAnswersWithTheSameJobAndAnotherJobIsAConflict() {
		UUID first = dead();
		UUID second = dead();
		Redrive redrive = this.jobs.redrive(first, "same-" + this.type, "ada", "reason");
		assertThat(this.jobs.redrive(first, "same-" + this.type, "bob", "again"))
			.isEqualTo(new Redrive(redrive.jobId(), false));
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> this.jobs.redrive(second, "same-" + this.type, "ada", "reason"))
			.satisfies((ex) -> assertThat(ex.fields()).containsExactly("jobId"));
		assertThat(this.jobs.redrive(first, "other-" + this.type, "ada", "once more").created()).isTrue();
	}

	@Test
	void racingRedrivesOfOneRequestMakeOneJob() throws Exception {
		UUID dead = dead();
		Race.Outcomes<Redrive> outcomes = Race.of(16)
			.run(() -> this.jobs.redrive(dead, "race-" + this.type, "ada", "reason"));
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).extracting(Redrive::jobId).containsOnly(outcomes.values().get(0).jobId());
		assertThat(outcomes.values()).filteredOn(Redrive::created).hasSize(1);
	}

	@Test
	void onlyAFailedJobCanBeRedriven() {
		UUID ready = database.queue().enqueue(this.type, 1);
		assertThatExceptionOfType(NotADeadLetterException.class)
			.isThrownBy(() -> this.jobs.redrive(ready, "r", "ada", "reason"))
			.withMessageContaining("Jobs.find");
		assertThatExceptionOfType(NotADeadLetterException.class)
			.isThrownBy(() -> this.jobs.redrive(UUID.randomUUID(), "r", "ada", "reason"));
	}

	@Test
	void pagesCoverAllAndFiltersNarrow() {
		List<UUID> dead = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			dead.add(dead());
		}
		List<UUID> paged = new ArrayList<>();
		Page<DeadLetter> page = this.jobs.deadLetters(filter(), null, 3);
		page.items().forEach((letter) -> paged.add(letter.id()));
		while (page.next() != null) {
			page = this.jobs.deadLetters(filter(), page.next(), 3);
			page.items().forEach((letter) -> paged.add(letter.id()));
		}
		assertThat(paged).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(dead);
		assertThat(this.jobs.deadLetters(filter().inQueue("elsewhere"), null, 10).items()).isEmpty();
		assertThat(this.jobs.deadLetters(filter().withError("java.lang.Nothing"), null, 10).items()).isEmpty();
		assertThat(this.jobs
			.deadLetters(filter().failedBetween(Instant.EPOCH, Instant.now().minusSeconds(3_600)), null, 10)
			.items()).isEmpty();
		assertThat(this.jobs
			.deadLetters(filter().failedBetween(Instant.now().minusSeconds(3_600), Instant.now().plusSeconds(60)), null,
					10)
			.items()).hasSize(7);
	}

	@Test
	void redriveOfAllCountsFirstAndThenRunsEachOnce() {
		for (int i = 0; i < 5; i++) {
			dead();
		}
		assertThat(this.jobs.redriveAll(filter(), "bulk", "ada", "reason", true)).isEqualTo(5);
		assertThat(live()).isZero();
		assertThat(this.jobs.redriveAll(filter(), "bulk", "ada", "reason", false)).isEqualTo(5);
		assertThat(this.jobs.redriveAll(filter(), "bulk", "ada", "reason", false)).isZero();
		assertThat(live()).isEqualTo(5);
	}

	private long live() {
		Long live = database.jdbc()
			.queryForObject("select count(*) from workhorse.job_run where type = ?", Long.class, this.type);
		return (live != null) ? live : -1;
	}

	private DeadLetterFilter filter() {
		return DeadLetterFilter.all().ofType(this.type);
	}

	private List<DeadLetter> letters() {
		return this.jobs.deadLetters(filter(), null, 10).items();
	}

	private UUID dead() {
		UUID job = database.queue().enqueue(this.type, 1);
		StoredState.FAILED.bringAbout(database.jdbc(), job);
		return job;
	}

}
