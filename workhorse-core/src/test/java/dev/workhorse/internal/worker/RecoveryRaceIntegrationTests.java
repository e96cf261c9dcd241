package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.internal.worker.PostgresLeases.ExpiredLease;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a recovery that found an expired lease, and then somebody else was quicker.
 */
class RecoveryRaceIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final PostgresLeases leases = new PostgresLeases(database.jdbc(), "workhorse", Nodes.LEASE);

	private final PostgresSettlements settlements = new PostgresSettlements(database.jdbc(), "workhorse");

	private final UUID worker = UUID.randomUUID();

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void completedJobIsNotRevived() {
		Attempt attempt = expired("completed");
		List<Lease> found = find();
		assertThat(settle(Settlement.succeeded(attempt, "1", Duration.ZERO))).isEqualTo("succeeded");
		Map<String, Object> before = database.snapshot(attempt.jobId());
		assertThat(this.leases.recover(found)).isEmpty();
		assertThat(database.snapshot(attempt.jobId())).isEqualTo(before);
		assertThat(claim("completed")).isEmpty();
	}

	@Test
	void retryThatWasStoredIsNotTakenForALostAttempt() {
		Attempt attempt = expired("retried");
		List<Lease> found = find();
		settle(Settlement.retried(attempt, "{}", Duration.ofMinutes(5), Duration.ZERO));
		assertThat(this.leases.recover(found)).isEmpty();
		assertThat(job(attempt)).returns(JobState.SCHEDULED, JobDetails::state).returns(1, JobDetails::attempt);
	}

	@Test
	void nextAttemptIsNotTakenBackForTheOneBefore() {
		Attempt attempt = expired("next");
		List<Lease> found = find();
		settle(Settlement.retried(attempt, "{}", Duration.ZERO, Duration.ZERO));
		Attempt next = claim("next").get(0);
		assertThat(this.leases.recover(found)).isEmpty();
		assertThat(settle(Settlement.succeeded(next, "2", Duration.ZERO))).isEqualTo("succeeded");
		assertThat(job(attempt)).returns("2", JobDetails::result).returns(2, JobDetails::attempt);
	}

	@Test
	void renewedLeaseIsLeftAlone() {
		Attempt attempt = expired("renewed");
		List<Lease> found = find();
		assertThat(this.leases.renew(List.of(attempt))).containsKey(attempt.lease());
		assertThat(this.leases.recover(found)).isEmpty();
		assertThat(job(attempt).state()).isEqualTo(JobState.RUNNING);
		settle(Settlement.succeeded(attempt, null, Duration.ZERO));
	}

	@Test
	void twoRecoveriesTakeAnAttemptBackOnce() {
		Attempt attempt = expired("twice");
		List<Lease> found = find();
		assertThat(this.leases.recover(found)).containsExactly("twice");
		assertThat(this.leases.recover(found)).isEmpty();
		assertThat(settle(Settlement.succeeded(attempt, "1", Duration.ZERO))).isNull();
		assertThat(job(attempt).errors()).extracting(JobDetails.AttemptError::kind).containsExactly("lease-expired");
		settle(Settlement.succeeded(claim("twice").get(0), "2", Duration.ZERO));
	}

	/** A running attempt whose lease is over. */
	private Attempt expired(String queue) {
		database.queue().enqueue("type", 1, EnqueueOptions.defaults().queue(queue));
		Attempt attempt = claim(queue).get(0);
		database.jdbc()
			.update("update workhorse.job_run set lease_until = workhorse.clock() - interval '1 s' where job_id = ?",
					attempt.jobId());
		return attempt;
	}

	private List<Attempt> claim(String queue) {
		HandlerDefinition definition = HandlerDefinition.of("type", Integer.class, (payload, context) -> null);
		return this.leases.claim(this.worker, queue, Set.of("type"), 10)
			.stream()
			.map((job) -> new Attempts(database).of(job, definition))
			.toList();
	}

	private List<Lease> find() {
		List<Lease> found = this.leases.findExpired().stream().map(ExpiredLease::lease).toList();
		assertThat(found).hasSize(1);
		return found;
	}

	private String settle(Settlement settlement) {
		return this.settlements.settle(List.of(settlement)).get(settlement.attempt().lease());
	}

	private static JobDetails job(Attempt attempt) {
		return database.builder().build().jobs().find(attempt.jobId()).orElseThrow();
	}

}
