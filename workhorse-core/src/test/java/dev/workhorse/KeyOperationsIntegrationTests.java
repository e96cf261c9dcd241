package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.KeyExplanation;
import dev.workhorse.operations.TimelineEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What people do to keys and their jobs, and what maintenance does.
 */
class KeyOperationsIntegrationTests {

	private static final Duration TTL = Duration.ofHours(2);

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final String key = "operated-key-" + KEYS.incrementAndGet();

	private Queue queue;

	private Jobs jobs;

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
		this.queue = database.queue();
		this.jobs = database.builder().build().jobs();
	}

	@Test
	void explainTellsWhoHoldsTheKey() {
		UUID job = enqueue();
		KeyExplanation explanation = this.jobs.explain("default", this.key);
		assertThat(explanation.preview()).isEqualTo(new EnqueueKey("default", this.key).preview());
		assertThat(explanation.digest()).matches("[0-9a-f]{12}");
		assertThat(explanation.holder()).isNotNull();
		assertThat(explanation.holder().jobId()).isEqualTo(job);
		assertThat(explanation.holder().state()).isEqualTo(JobState.READY);
		assertThat(Duration.between(explanation.holder().acceptedAt(), explanation.holder().expiresAt()))
			.isEqualTo(TTL);
		assertThat(explanation.forecasts().get(KeyMode.IDEMPOTENCY))
			.isEqualTo(new KeyExplanation.Forecast("replayed", "conflict"));
		assertThat(explanation.toString()).doesNotContain(this.key);
	}

	@Test
	void explainOfAFreeKeyForetellsAcceptance() {
		KeyExplanation explanation = this.jobs.explain("default", this.key);
		assertThat(explanation.holder()).isNull();
		assertThat(explanation.forecasts().values()).containsOnly(new KeyExplanation.Forecast("accepted", "accepted"));
	}

	@Test
	void releaseFreesTheKeyAtOnceAndNotesWhoDidIt() {
		UUID job = enqueue();
		assertThat(this.jobs.release("default", this.key, "ada", "support ticket")).isTrue();
		assertThat(this.jobs.release("default", this.key, "ada", "support ticket")).isFalse();
		EnqueueResult next = request();
		assertThat(next.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(next.jobId()).isNotEqualTo(job);
		assertThat(event(job, "key-released")).contains("ada").contains("support ticket");
		assertThat(this.jobs.find(job)).get().extracting((found) -> found.state()).isEqualTo(JobState.READY);
	}

	@Test
	void releaseOfARolledBackTransactionKeepsTheKey() {
		UUID job = enqueue();
		database.transaction().executeWithoutResult((status) -> {
			this.jobs.release("default", this.key, "ada", "mistake");
			status.setRollbackOnly();
		});
		assertThat(request()).isEqualTo(new EnqueueResult(job, EnqueueOutcome.REPLAYED));
	}

	@Test
	void cancelBeforeTheStartFreesTheKey() {
		// E13
		UUID job = enqueue();
		assertThat(this.jobs.cancel(job, "ada", "not wanted")).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(this.jobs.cancel(job, "bob", "again")).isEqualTo(CancelOutcome.ALREADY_FINISHED);
		assertThat(this.jobs.find(job)).get().extracting((found) -> found.state()).isEqualTo(JobState.CANCELLED);
		assertThat(event(job, "cancelled")).contains("not wanted").doesNotContain("again");
		assertThat(request().outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void cancelAfterAnAttemptKeepsTheKey() {
		UUID job = enqueue();
		StoredState.IN_RETRY_BACKOFF.bringAbout(database.jdbc(), job);
		assertThat(this.jobs.cancel(job, "ada", "gave up")).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(request()).isEqualTo(new EnqueueResult(job, EnqueueOutcome.REPLAYED));
	}

	@Test
	void cancelOfARunningOrUnknownJobSaysSo() {
		UUID job = enqueue();
		StoredState.RUNNING.bringAbout(database.jdbc(), job);
		assertThat(this.jobs.cancel(job, "ada", "too late")).isEqualTo(CancelOutcome.REQUESTED);
		assertThat(this.jobs.cancel(UUID.randomUUID(), "ada", "what")).isEqualTo(CancelOutcome.NOT_FOUND);
	}

	@Test
	void operatorsMustSayWhoAndWhy() {
		UUID job = enqueue();
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.jobs.cancel(job, " ", "reason"))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("by"));
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.jobs.release("default", this.key, "ada", ""))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("reason"));
	}

	@Test
	void purgeRemovesWaitingJobsWithTheirKeysAndLeavesTheRest() {
		String name = "purged-" + this.key;
		UUID waiting = this.queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key).queue(name));
		UUID running = this.queue.enqueue("type", 2, EnqueueOptions.defaults().queue(name));
		StoredState.RUNNING.bringAbout(database.jdbc(), running);
		UUID elsewhere = enqueue("another-" + this.key);
		for (int i = 0; i < 1_100; i++) {
			this.queue.enqueue("type", i, EnqueueOptions.defaults().queue(name));
		}
		assertThat(this.jobs.purge(name, "ada", "bad import")).isEqualTo(1_101);
		assertThat(this.jobs.find(waiting)).isEmpty();
		assertThat(this.jobs.find(running)).isPresent();
		assertThat(this.jobs.find(elsewhere)).isPresent();
		assertThat(event(waiting, "purged")).contains("bad import");
		assertThat(request().outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void purgedJobLeavesOnlyTheNoteThatItWasPurged() {
		String name = "history-" + this.key;
		UUID job = this.queue.enqueue("type", 1,
				EnqueueOptions.defaults().queue(name).runAt(Instant.now().plusSeconds(60)));
		this.jobs.runNow(job, "ada", "now");
		assertThat(this.jobs.timeline(job)).extracting(TimelineEntry::kind).containsExactly("accepted", "run-now");
		this.jobs.purge(name, "bob", "bad import");
		assertThat(this.jobs.timeline(job)).singleElement()
			.extracting(TimelineEntry::kind, TimelineEntry::by, TimelineEntry::reason)
			.containsExactly("purged", "bob", "bad import");
		database.clock().advance(Duration.ofDays(15));
		maintenance().run();
		assertThat(this.jobs.timeline(job)).isEmpty();
	}

	@Test
	void timelineTellsWhatHappenedInOrder() {
		EnqueueOptions options = EnqueueOptions.debounce(Debounce.reset(this.key, Duration.ofMinutes(1)));
		UUID job = this.queue.enqueue("type", 1, options);
		this.queue.enqueue("type", 2, options);
		this.jobs.release("default", this.key, "ada", "wrong key");
		this.jobs.cancel(job, "bob", "not wanted");
		assertThat(this.jobs.timeline(job)).extracting(TimelineEntry::kind)
			.containsExactly("accepted", "replaced", "key-released", "cancelled");
		assertThat(this.jobs.timeline(job).get(3).by()).isEqualTo("bob");
		assertThat(this.jobs.find(job)).get().satisfies((found) -> assertThat(found.errors()).isEmpty());
	}

	@Test
	void operationsInAReadOnlyTransactionAreRefusedBeforeAnySql() {
		UUID job = enqueue();
		TransactionTemplate readOnly = database.transaction();
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> {
			assertThatExceptionOfType(ReadOnlyTransactionException.class)
				.isThrownBy(() -> this.jobs.cancel(job, "ada", "reason"))
				.withMessageContaining("cancel a job");
			assertThatExceptionOfType(ReadOnlyTransactionException.class)
				.isThrownBy(() -> this.jobs.release("default", this.key, "ada", "reason"));
			assertThatExceptionOfType(ReadOnlyTransactionException.class)
				.isThrownBy(() -> this.jobs.pause("q", "ada", "reason"));
			assertThat(this.jobs.explain("default", this.key).holder()).isNotNull();
		});
	}

	@Test
	void jobGivenBackDuringItsFirstAttemptCountsAsStarted() {
		EnqueueOptions options = EnqueueOptions.debounce(Debounce.reset(this.key, Duration.ofMinutes(1)));
		UUID job = this.queue.enqueue("type", 1, options);
		database.jdbc().update("update workhorse.job_run set fence = 1 where job_id = ?", job);
		assertThat(this.queue.enqueueWithResult("type", 2, options).reason())
			.isEqualTo(NonReplaceableReason.NOT_PENDING);
		this.jobs.cancel(job, "ada", "reason");
		assertThat(this.jobs.explain("default", this.key).holder()).isNotNull();
	}

	@Test
	void expiredKeysArePrunedInBatchesAndLiveOnesStay() {
		// E4 (zoolutions/sidekiq-unique-jobs#653)
		UUID live = enqueue();
		database.jdbc()
			.update("""
					with accepted as (
					  insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, created_at,
					    key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint, key_window_ms, key_expires_at)
					  select gen_random_uuid(), 'default', 'type', '1', 0, 25, 'polynomial', now() - interval '2 s',
					    sha256(convert_to(? || i, 'UTF8')), 'idempotency', 'bulk', '•', 1, sha256('x'), 1000,
					    now() - interval '1 s'
					  from generate_series(1, 2500) as i
					  returning id
					)
					insert into workhorse.job_outcome (job_id, state, attempt, started_at, finished_at)
					select id, 'succeeded', 1, now(), now() from accepted
					""",
					this.key);
		assertThat(maintenance().run().keys()).isEqualTo(2_500);
		assertThat(maintenance().run().keys()).isZero();
		assertThat(request()).isEqualTo(new EnqueueResult(live, EnqueueOutcome.REPLAYED));
	}

	@Test
	void debouncedKeyOfAnUnstartedJobIsNotPruned() {
		EnqueueOptions options = EnqueueOptions.debounce(Debounce.reset(this.key, Duration.ofSeconds(1)));
		UUID job = this.queue.enqueue("type", 1, options);
		database.clock().advance(Duration.ofSeconds(2));
		maintenance().run();
		assertThat(this.queue.enqueueWithResult("type", 2, options)).isEqualTo(
				new EnqueueResult(job, EnqueueOutcome.NON_REPLACEABLE, NonReplaceableReason.WINDOW_ELAPSED_PENDING));
	}

	@Test
	void liveKeyPinsItsFinishedJobUntilItExpires() {
		UUID pinned = enqueue();
		UUID free = this.queue.enqueue("type", 1);
		StoredState.SUCCEEDED.bringAbout(database.jdbc(), pinned);
		StoredState.SUCCEEDED.bringAbout(database.jdbc(), free);
		Maintenance eager = new Maintenance(database.dataSource(), "workhorse",
				new RetentionSettings(Duration.ofHours(1), Duration.ofDays(14), Duration.ofDays(1), Duration.ofDays(1),
						Duration.ofMinutes(1)));
		database.clock().advance(Duration.ofMinutes(61));
		eager.run();
		assertThat(this.jobs.find(free)).isEmpty();
		assertThat(request()).isEqualTo(new EnqueueResult(pinned, EnqueueOutcome.REPLAYED));
		database.clock().advance(Duration.ofMinutes(60));
		eager.run();
		assertThat(this.jobs.find(pinned)).isEmpty();
		assertThat(request().outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void retentionGoesByState() {
		Map<JobState, UUID> jobs = Map.of(JobState.SUCCEEDED, this.queue.enqueue("type", 1), JobState.FAILED,
				this.queue.enqueue("type", 2), JobState.CANCELLED, this.queue.enqueue("type", 3));
		jobs.forEach((state, job) -> StoredState.valueOf(state.name()).bringAbout(database.jdbc(), job));
		database.clock().advance(Duration.ofDays(1).plusSeconds(1));
		maintenance().run();
		assertThat(this.jobs.find(jobs.get(JobState.SUCCEEDED))).isEmpty();
		assertThat(this.jobs.find(jobs.get(JobState.CANCELLED))).isEmpty();
		assertThat(this.jobs.find(jobs.get(JobState.FAILED))).isPresent();
		database.clock().advance(Duration.ofDays(13));
		maintenance().run();
		assertThat(this.jobs.find(jobs.get(JobState.FAILED))).isEmpty();
	}

	private static Maintenance maintenance() {
		return new Maintenance(database.dataSource(), "workhorse", RetentionSettings.DEFAULTS);
	}

	private UUID enqueue() {
		return enqueue(this.key);
	}

	private UUID enqueue(String key) {
		return this.queue.enqueue("type", "payload", EnqueueOptions.idempotency(Idempotency.key(key).ttl(TTL)));
	}

	private EnqueueResult request() {
		return this.queue.enqueueWithResult("type", "payload",
				EnqueueOptions.idempotency(Idempotency.key(this.key).ttl(TTL)));
	}

	private static String event(UUID job, String kind) {
		return String.join("\n",
				database.jdbc()
					.queryForList("select details::text from workhorse.job_event where job_id = ? and kind = ?",
							String.class, job, kind));
	}

}
