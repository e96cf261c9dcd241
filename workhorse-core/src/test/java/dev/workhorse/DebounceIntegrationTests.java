package dev.workhorse;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.testsupport.Race;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of debounce: key state × window × schedule → outcome, line by line.
 */
class DebounceIntegrationTests {

	private static final Duration WINDOW = Duration.ofSeconds(10);

	private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final String key = "debounce-key-" + KEYS.incrementAndGet();

	private Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void stopTheClock() {
		database.clock().reset();
		database.clock().freezeAt(START);
		this.queue = database.queue();
	}

	@Test
	void freeKeyIsAcceptedForOneWindowFromNow() {
		EnqueueResult result = request(1, Debounce.reset(this.key, WINDOW));
		assertThat(result.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(database.runAt(result.jobId())).isEqualTo(START.plus(WINDOW));
		assertThat(expiresAt(result.jobId())).isEqualTo(START.plus(WINDOW));
		assertThat(stateOf(result.jobId())).isEqualTo("scheduled");
	}

	@ParameterizedTest(name = "{0}, window {1}, {2}: {3} {4}")
	@CsvSource(nullValues = "-", textBlock = """
			# key state,       window, schedule, outcome,         reason
			UNSTARTED,         open,   RESET,    REPLACED,        -
			UNSTARTED,         open,   PRESERVE, REPLACED,        -
			READY,             open,   RESET,    REPLACED,        -
			READY,             open,   PRESERVE, REPLACED,        -
			RUNNING,           open,   RESET,    NON_REPLACEABLE, NOT_PENDING
			RUNNING,           open,   PRESERVE, NON_REPLACEABLE, NOT_PENDING
			IN_RETRY_BACKOFF,  open,   RESET,    NON_REPLACEABLE, NOT_PENDING
			IN_RETRY_BACKOFF,  open,   PRESERVE, NON_REPLACEABLE, NOT_PENDING
			WAITING,           open,   RESET,    NON_REPLACEABLE, NOT_PENDING
			WAITING,           open,   PRESERVE, NON_REPLACEABLE, NOT_PENDING
			SUCCEEDED,         open,   RESET,    NON_REPLACEABLE, NOT_PENDING
			SUCCEEDED,         open,   PRESERVE, NON_REPLACEABLE, NOT_PENDING
			FAILED,            open,   RESET,    NON_REPLACEABLE, NOT_PENDING
			FAILED,            open,   PRESERVE, NON_REPLACEABLE, NOT_PENDING
			CANCELLED,         open,   RESET,    NON_REPLACEABLE, NOT_PENDING
			CANCELLED,         open,   PRESERVE, NON_REPLACEABLE, NOT_PENDING
			UNSTARTED,         over,   RESET,    NON_REPLACEABLE, WINDOW_ELAPSED_PENDING
			UNSTARTED,         over,   PRESERVE, NON_REPLACEABLE, WINDOW_ELAPSED_PENDING
			READY,             over,   RESET,    NON_REPLACEABLE, WINDOW_ELAPSED_PENDING
			READY,             over,   PRESERVE, NON_REPLACEABLE, WINDOW_ELAPSED_PENDING
			RUNNING,           over,   RESET,    ACCEPTED,        -
			RUNNING,           over,   PRESERVE, ACCEPTED,        -
			IN_RETRY_BACKOFF,  over,   RESET,    ACCEPTED,        -
			IN_RETRY_BACKOFF,  over,   PRESERVE, ACCEPTED,        -
			WAITING,           over,   RESET,    ACCEPTED,        -
			WAITING,           over,   PRESERVE, ACCEPTED,        -
			SUCCEEDED,         over,   RESET,    ACCEPTED,        -
			SUCCEEDED,         over,   PRESERVE, ACCEPTED,        -
			FAILED,            over,   RESET,    ACCEPTED,        -
			FAILED,            over,   PRESERVE, ACCEPTED,        -
			CANCELLED,         over,   RESET,    ACCEPTED,        -
			CANCELLED,         over,   PRESERVE, ACCEPTED,        -
			CANCELLED_UNSTARTED, open, RESET,    ACCEPTED,        -
			PURGED,            open,   RESET,    ACCEPTED,        -
			RELEASED,          open,   RESET,    ACCEPTED,        -
			RUN_NOW,           open,   RESET,    ACCEPTED,        -
			""")
	void repeatIsDecidedByTheStateOfTheJobAndTheWindow(String state, String window, String schedule,
			EnqueueOutcome outcome, @Nullable NonReplaceableReason reason) {
		// C5 (stablemates/workhorse#111): a job in retry backoff is not pending
		UUID first = request(1, Debounce.reset(this.key, WINDOW)).jobId();
		bringAbout(state, first);
		database.clock().advance((window.equals("open")) ? WINDOW.minusMillis(1) : WINDOW);
		Map<String, @Nullable Object> before = (state.equals("PURGED")) ? Map.of() : database.snapshot(first);
		EnqueueResult result = request(2,
				(schedule.equals("RESET")) ? Debounce.reset(this.key, WINDOW) : Debounce.preserve(this.key, WINDOW));
		assertThat(result.outcome()).isEqualTo(outcome);
		assertThat(result.reason()).isEqualTo(reason);
		assertThat(result.jobId().equals(first)).isEqualTo(outcome != EnqueueOutcome.ACCEPTED);
		if (outcome == EnqueueOutcome.NON_REPLACEABLE) {
			assertThat(database.payload(first)).isEqualTo("1");
			assertThat(database.snapshot(first).get("run")).isEqualTo(before.get("run"));
		}
		else {
			assertThat(database.payload(result.jobId())).isEqualTo("2");
		}
	}

	private void bringAbout(String state, UUID job) {
		switch (state) {
			case "UNSTARTED" -> {
			}
			case "CANCELLED_UNSTARTED" -> jobs().cancel(job, "test", "cancelled before start");
			case "RELEASED" -> jobs().release("default", this.key, "test", "released");
			case "RUN_NOW" -> jobs().runNow(job, "test", "run now");
			case "PURGED" -> database.jdbc()
				.update("with run as (delete from workhorse.job_run where job_id = ?) "
						+ "delete from workhorse.job where id = ?", job, job);
			default -> StoredState.valueOf(state).bringAbout(database.jdbc(), job);
		}
	}

	private Jobs jobs() {
		return database.builder().build().jobs();
	}

	@Test
	void resetMovesTheRunWithEveryRequest() {
		UUID job = request(1, Debounce.reset(this.key, WINDOW)).jobId();
		database.clock().advance(Duration.ofSeconds(6));
		request(2, Debounce.reset(this.key, WINDOW));
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(16));
		assertThat(expiresAt(job)).isEqualTo(START.plusSeconds(16));
		database.clock().advance(Duration.ofSeconds(6));
		assertThat(request(3, Debounce.reset(this.key, WINDOW)).outcome()).isEqualTo(EnqueueOutcome.REPLACED);
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(22));
	}

	@Test
	void preserveLeavesTheRunWhereTheFirstRequestPutIt() {
		UUID job = request(1, Debounce.preserve(this.key, WINDOW)).jobId();
		database.clock().advance(Duration.ofSeconds(6));
		request(2, Debounce.preserve(this.key, Duration.ofSeconds(60)));
		assertThat(database.runAt(job)).isEqualTo(START.plus(WINDOW));
		assertThat(expiresAt(job)).isEqualTo(START.plus(WINDOW));
		assertThat(database.payload(job)).isEqualTo("2");
	}

	@Test
	void maxDelayBoundsTheRunFromTheFirstAcceptance() {
		// C8 (windmill-labs/windmill#8299): after the longest delay a fresh window begins
		Debounce bounded = Debounce.reset(this.key, WINDOW).maxDelay(Duration.ofSeconds(15));
		UUID job = request(1, bounded).jobId();
		database.clock().advance(Duration.ofSeconds(8));
		request(2, bounded);
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(15));
		database.clock().advance(Duration.ofSeconds(6));
		assertThat(request(3, bounded).outcome()).isEqualTo(EnqueueOutcome.REPLACED);
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(15));
		database.clock().advance(Duration.ofSeconds(1));
		StoredState.RUNNING.bringAbout(database.jdbc(), job);
		EnqueueResult fresh = request(4, bounded);
		assertThat(fresh.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(database.runAt(fresh.jobId())).isEqualTo(START.plusSeconds(25));
	}

	@Test
	void maxDelayBelowTheWindowAlreadyBoundsTheFirstRun() {
		UUID job = request(1, Debounce.reset(this.key, WINDOW).maxDelay(Duration.ofSeconds(3))).jobId();
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(3));
	}

	@Test
	void replaceTakesOverEverythingOfTheNewRequest() {
		UUID job = request(1, Debounce.reset(this.key, WINDOW)).jobId();
		Instant deadline = START.plusSeconds(3_600);
		EnqueueOptions options = EnqueueOptions.debounce(Debounce.reset(this.key, WINDOW))
			.queue("other")
			.priority(7)
			.concurrencyKey("customer-1")
			.tags("b", "a")
			.maxAttempts(3)
			.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1)))
			.deadline(deadline)
			.executionTimeout(Duration.ofSeconds(2));
		assertThat(this.queue.enqueue("other-type", Map.of("n", 2), options)).isEqualTo(job);
		Map<String, @Nullable Object> row = database.jdbc().queryForMap("""
				select job.queue, job.type, job.payload::text as payload, job.priority, job.concurrency_key,
				  array_to_string(job.tags, ',') as tags, max_attempts, retry_policy, deadline, timeout_ms,
				  array_to_string(explicit_options, ',') as explicit, replacements,
				  job_run.queue as run_queue, job_run.type as run_type, job_run.priority as run_priority,
				  job_run.concurrency_key as run_key
				from workhorse.job join workhorse.job_run on job_id = id
				where id = ?
				""", job);
		assertThat(row).containsEntry("queue", "other")
			.containsEntry("type", "other-type")
			.containsEntry("payload", "{\"n\": 2}")
			.containsEntry("priority", 7)
			.containsEntry("concurrency_key", "customer-1")
			.containsEntry("tags", "a,b")
			.containsEntry("max_attempts", 3)
			.containsEntry("retry_policy", "fixed:PT1S")
			.containsEntry("deadline", Timestamp.from(deadline))
			.containsEntry("timeout_ms", 2_000L)
			.containsEntry("explicit",
					"concurrencyKey,deadline,executionTimeout,maxAttempts,priority,queue,retryPolicy,tags")
			.containsEntry("replacements", 1)
			.containsEntry("run_queue", "other")
			.containsEntry("run_type", "other-type")
			.containsEntry("run_priority", 7)
			.containsEntry("run_key", "customer-1");
	}

	@Test
	void sixRequestsInOneWindowAreOneJobWithTheLastPayload() {
		// C3 (timgit/pg-boss#353)
		for (int i = 1; i <= 6; i++) {
			request(i, Debounce.reset(this.key, WINDOW));
		}
		assertThat(database.jdbc()
			.queryForList("select payload::text from workhorse.job where key_preview = ?", String.class,
					new EnqueueKey("default", this.key).preview()))
			.contains("6");
		assertThat(database.payload(holder())).isEqualTo("6");
	}

	@Test
	void racingRequestsMakeOneJobAndTheLastCommittedPayloadStays() throws Exception {
		// C9 (triggerdotdev/trigger.dev#3453), C10 (#2794)
		for (int round = 0; round < 20; round++) {
			String hot = this.key + "-" + round;
			Race.Outcomes<EnqueueResult> outcomes = Race.of(16)
				.run((thread) -> this.queue.enqueueWithResult("type", thread,
						EnqueueOptions.debounce(Debounce.reset(hot, WINDOW))));
			assertThat(outcomes.failures()).isEmpty();
			List<EnqueueResult> results = outcomes.values();
			assertThat(results).extracting(EnqueueResult::jobId).hasSize(16).containsOnly(results.get(0).jobId());
			assertThat(results).extracting(EnqueueResult::outcome)
				.filteredOn((outcome) -> outcome == EnqueueOutcome.ACCEPTED)
				.hasSize(1);
			assertThat(results).extracting(EnqueueResult::outcome)
				.filteredOn((outcome) -> outcome == EnqueueOutcome.REPLACED)
				.hasSize(15);
			assertThat(database.jdbc()
				.queryForObject("select replacements from workhorse.job where id = ?", Integer.class,
						results.get(0).jobId()))
				.isEqualTo(15);
		}
	}

	@Test
	void replaceAndClaimRaceToOneOfTwoEnds() throws Exception {
		for (int round = 0; round < 100; round++) {
			String hot = this.key + "-claim-" + round;
			UUID job = this.queue.enqueue("type", "old", EnqueueOptions.debounce(Debounce.reset(hot, WINDOW)));
			database.jdbc().update("update workhorse.job_run set state = 'ready' where job_id = ?", job);
			Function<Integer, Object> racer = (thread) -> (thread == 0)
					? this.queue.enqueueWithResult("type", "new", EnqueueOptions.debounce(Debounce.reset(hot, WINDOW)))
					: claim(job);
			Race.Outcomes<Object> outcomes = Race.of(2).run((thread) -> racer.apply(thread));
			assertThat(outcomes.failures()).isEmpty();
			EnqueueResult result = (EnqueueResult) outcomes.values().get(0);
			String claimed = (String) outcomes.values().get(1);
			if (result.outcome() == EnqueueOutcome.REPLACED) {
				assertThat(claimed).as("payload of the claim").isIn("\"new\"", "nothing");
				assertThat(database.payload(job)).isEqualTo("\"new\"");
			}
			else {
				assertThat(result.reason()).isEqualTo(NonReplaceableReason.NOT_PENDING);
				assertThat(claimed).isEqualTo("\"old\"");
				assertThat(database.payload(job)).isEqualTo("\"old\"");
			}
		}
	}

	@Test
	void replaceAndCancelRaceToAReplacedJobThatIsCancelledOrToANewOne() throws Exception {
		for (int round = 0; round < 100; round++) {
			String hot = this.key + "-cancel-" + round;
			EnqueueOptions options = EnqueueOptions.debounce(Debounce.reset(hot, WINDOW));
			UUID job = this.queue.enqueue("type", "old", options);
			Race.Outcomes<Object> outcomes = Race.of(2)
				.run((thread) -> (thread == 0) ? this.queue.enqueueWithResult("type", "new", options)
						: jobs().cancel(job, "test", "race"));
			assertThat(outcomes.failures()).isEmpty();
			EnqueueResult result = (EnqueueResult) outcomes.values().get(0);
			assertThat(outcomes.values().get(1)).isEqualTo(CancelOutcome.CANCELLED);
			boolean replaced = result.outcome() == EnqueueOutcome.REPLACED;
			assertThat(result.outcome()).isIn(EnqueueOutcome.REPLACED, EnqueueOutcome.ACCEPTED);
			assertThat(result.jobId().equals(job)).isEqualTo(replaced);
			assertThat(database.payload(job)).isEqualTo((replaced) ? "\"new\"" : "\"old\"");
			assertThat(jobs().find(job)).get().extracting(JobDetails::state).isEqualTo(JobState.CANCELLED);
		}
	}

	@Test
	void replaceAndPurgeRaceToAReplacedJobThatIsGoneOrToANewOne() throws Exception {
		for (int round = 0; round < 100; round++) {
			String hot = this.key + "-purge-" + round;
			EnqueueOptions options = EnqueueOptions.debounce(Debounce.reset(hot, WINDOW)).queue(hot);
			UUID job = this.queue.enqueue("type", "old", options);
			Race.Outcomes<Object> outcomes = Race.of(2)
				.run((thread) -> (thread == 0) ? this.queue.enqueueWithResult("type", "new", options)
						: jobs().purge(hot, "test", "race"));
			assertThat(outcomes.failures()).isEmpty();
			EnqueueResult result = (EnqueueResult) outcomes.values().get(0);
			assertThat(result.outcome()).isIn(EnqueueOutcome.REPLACED, EnqueueOutcome.ACCEPTED);
			boolean purged = jobs().find(job).isEmpty();
			if (result.outcome() == EnqueueOutcome.ACCEPTED) {
				assertThat(purged).isTrue();
				assertThat(result.jobId()).isNotEqualTo(job);
			}
			else {
				assertThat(result.jobId()).isEqualTo(job);
				// a purge passes over a job that is just being replaced
				assertThat(purged || "\"new\"".equals(database.payload(job))).isTrue();
			}
		}
	}

	/**
	 * Claims as a worker does: the run under a lock that passes over others, then the
	 * payload.
	 */
	private static String claim(UUID job) {
		List<String> payloads = database.jdbc().queryForList("""
				with picked as materialized (
				  select ctid from workhorse.job_run where job_id = ? and state = 'ready'
				  for no key update skip locked
				),
				claimed as (
				  update workhorse.job_run
				  set state = 'running', attempt = attempt + 1, fence = fence + 1, worker = gen_random_uuid(),
				      started_at = workhorse.clock(), lease_until = workhorse.clock() + interval '1 minute'
				  where ctid = any (array(select ctid from picked)) and state = 'ready'
				  returning job_id
				)
				select payload::text from claimed join workhorse.job on id = job_id
				""", String.class, job);
		return (!payloads.isEmpty()) ? payloads.get(0) : "nothing";
	}

	private EnqueueResult request(int payload, Debounce debounce) {
		return this.queue.enqueueWithResult("type", payload, EnqueueOptions.debounce(debounce));
	}

	private UUID holder() {
		return request(6, Debounce.reset(this.key, WINDOW)).jobId();
	}

	private static @Nullable String stateOf(UUID job) {
		return database.jdbc()
			.queryForObject("select state from workhorse.job_run where job_id = ?", String.class, job);
	}

	private static Instant expiresAt(UUID job) {
		return time("select key_expires_at from workhorse.job where id = ?", job);
	}

	private static Instant time(String sql, UUID job) {
		return Objects.requireNonNull(database.jdbc().queryForObject(sql, OffsetDateTime.class, job)).toInstant();
	}

}
