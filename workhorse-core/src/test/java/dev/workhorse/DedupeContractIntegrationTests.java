package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.TimelineEntry;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.StatementCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of dedupe keys: existing execution → outcome, line by line.
 */
class DedupeContractIntegrationTests {

	private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final String key = "dedupe-key-" + KEYS.incrementAndGet();

	private Conductor conductor;

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
		this.conductor = database.builder().build().conductor();
	}

	@ParameterizedTest(name = "{0}: {1}, then {2}")
	@CsvSource(textBlock = """
			# execution,           outcome,    state after
			READY,                 UPDATED,    ready
			SCHEDULED,             UPDATED,    ready
			IN_RETRY_BACKOFF,      UPDATED,    ready
			WAITING,               UPDATED,    ready
			RUNNING,               SUPERSEDED, failed
			CANCEL_REQUESTED,      SUPERSEDED, failed
			SUCCEEDED,             RETAINED,   succeeded
			FAILED,                RETAINED,   failed
			CANCELLED,             RETAINED,   cancelled
			CANCELLED_UNSTARTED,   RETAINED,   cancelled
			RETENTION_OVER,        CREATED,    succeeded
			HANDLER_RETENTION_OVER,CREATED,   succeeded
			REMOVED_BY_RETENTION,  CREATED,    -
			PURGED,                CREATED,    -
			RELEASED,              CREATED,    ready
			SUPERSEDED_AND_WAITING,UPDATED,    ready
			""")
	void reinvokeIsDecidedByTheStateOfTheExecution(String state, InvokeOutcome outcome, String after) {
		UUID first = created("1", InvokeOptions.dedupeKey(this.key).priority(5).concurrencyKey("group-1").tags("tag"));
		UUID holder = bringAbout(state, first);
		Map<String, Object> before = outcomeOf(holder);
		InvokeResult result = invoke("2", InvokeOptions.dedupeKey(this.key).priority(7));
		assertThat(result.outcome()).isEqualTo(outcome);
		boolean sameExecution = outcome == InvokeOutcome.UPDATED || outcome == InvokeOutcome.RETAINED;
		assertThat(result.jobId().equals(holder)).isEqualTo(sameExecution);
		assertThat(database.payload(result.jobId())).isEqualTo("\"2\"");
		if (!after.equals("-")) {
			assertThat(stateOf(holder)).isEqualTo(after);
		}
		switch (outcome) {
			case RETAINED -> {
				assertThat(outcomeOf(holder)).as("D7: nothing runs, the end stays").isEqualTo(before);
				assertThat(jobColumn(holder, "priority")).isEqualTo(5);
			}
			case UPDATED -> {
				assertThat(jobColumn(holder, "priority")).isEqualTo(7);
				assertThat(runColumn(holder, "priority")).isEqualTo(7);
				assertThat(runColumn(holder, "concurrency_key")).isNull();
				assertThat(runColumn(holder, "attempt"))
					.isEqualTo((List.of("IN_RETRY_BACKOFF", "WAITING").contains(state)) ? 1 : 0);
				assertThat(database.runAt(holder)).isEqualTo(START);
			}
			case SUPERSEDED -> {
				assertThat(database.payload(holder)).as("D2: keeps what it was claimed with").isEqualTo("\"1\"");
				assertThat((String) outcomeOf(holder).get("error")).contains("superseded by reinvoke");
				assertThat(stateOf(result.jobId())).isEqualTo("ready");
				assertThat(database.count("job where key_hash is not null and id = '%s'".formatted(holder))).isZero();
			}
			default -> assertThat(stateOf(result.jobId())).isEqualTo("ready");
		}
	}

	private UUID bringAbout(String state, UUID job) {
		Jobs jobs = database.builder().build().jobs();
		switch (state) {
			case "CANCEL_REQUESTED" -> {
				StoredState.RUNNING.bringAbout(database.jdbc(), job);
				jobs.cancel(job, "test", "while it runs");
			}
			case "CANCELLED_UNSTARTED" -> jobs.cancel(job, "test", "before it ran");
			case "RETENTION_OVER" -> {
				StoredState.SUCCEEDED.bringAbout(database.jdbc(), job);
				database.jdbc()
					.update("update workhorse.job_outcome set finished_at = finished_at - interval '1 day', started_at = started_at - interval '1 day' where job_id = ?",
							job);
			}
			case "HANDLER_RETENTION_OVER" -> {
				StoredState.SUCCEEDED.bringAbout(database.jdbc(), job);
				database.jdbc()
					.update("update workhorse.job_outcome set keep_until = finished_at where job_id = ?", job);
			}
			case "REMOVED_BY_RETENTION" -> {
				StoredState.SUCCEEDED.bringAbout(database.jdbc(), job);
				database.jdbc().update("delete from workhorse.job_outcome where job_id = ?", job);
				database.jdbc().update("delete from workhorse.job where id = ?", job);
			}
			case "PURGED" -> jobs.purge("default", "test", "purge");
			case "RELEASED" -> database.jdbc().update("update workhorse.job set key_hash = null where id = ?", job);
			case "SUPERSEDED_AND_WAITING" -> {
				StoredState.RUNNING.bringAbout(database.jdbc(), job);
				return Objects.requireNonNull(invoke("between", InvokeOptions.dedupeKey(this.key)).jobId());
			}
			default -> StoredState.valueOf(state).bringAbout(database.jdbc(), job);
		}
		return job;
	}

	@Test
	void freeKeyCreates() {
		InvokeResult result = invoke("1", InvokeOptions.dedupeKey(this.key));
		assertThat(result.outcome()).isEqualTo(InvokeOutcome.CREATED);
		assertThat(stateOf(result.jobId())).isEqualTo("ready");
	}

	@Test
	void invokeWithoutAKeyAlwaysCreates() {
		UUID first = this.conductor.invoke("task", "1");
		UUID second = this.conductor.invoke("task", "1");
		assertThat(first).isNotEqualTo(second);
	}

	@Test
	void timeOfAnUpdateReplacesTheOneBefore() {
		UUID job = created("1", InvokeOptions.dedupeKey(this.key).delay(Duration.ofHours(1)));
		assertThat(stateOf(job)).isEqualTo("scheduled");
		assertThat(database.runAt(job)).isEqualTo(START.plus(Duration.ofHours(1)));
		invoke("2", InvokeOptions.dedupeKey(this.key).runAt(START.plusSeconds(5)));
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(5));
		assertThat(stateOf(job)).isEqualTo("scheduled");
		invoke("3", InvokeOptions.dedupeKey(this.key));
		assertThat(database.runAt(job)).isEqualTo(START);
		assertThat(stateOf(job)).isEqualTo("ready");
	}

	@Test
	void identityIsTaskQueueAndKey() {
		// D10 (rq/rq#1701), D11 (graphile/worker#312)
		UUID here = created("1", InvokeOptions.dedupeKey(this.key));
		UUID otherQueue = created("1", InvokeOptions.dedupeKey(this.key).queue("other"));
		UUID otherTask = Objects
			.requireNonNull(this.conductor.invoke("other-task", "1", InvokeOptions.dedupeKey(this.key)));
		assertThat(List.of(here, otherQueue, otherTask)).doesNotHaveDuplicates();
		Queue queue = database.queue();
		assertThat(queue.enqueueWithResult("task", "1", EnqueueOptions.idempotencyKey(this.key)).outcome())
			.as("an enqueue key is another space")
			.isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(invoke("2", InvokeOptions.dedupeKey(this.key)))
			.isEqualTo(new InvokeResult(here, InvokeOutcome.UPDATED));
	}

	@Test
	void manyReinvokesWhileItRunsMakeOneNewExecution() {
		// D1 (graphile/worker#303), D5
		UUID first = created("1", InvokeOptions.dedupeKey(this.key));
		StoredState.RUNNING.bringAbout(database.jdbc(), first);
		UUID second = invoke("2", InvokeOptions.dedupeKey(this.key)).jobId();
		for (int i = 3; i < 7; i++) {
			assertThat(invoke(Integer.toString(i), InvokeOptions.dedupeKey(this.key)))
				.isEqualTo(new InvokeResult(second, InvokeOutcome.UPDATED));
		}
		StoredState.RUNNING.bringAbout(database.jdbc(), Objects.requireNonNull(second));
		InvokeResult third = invoke("7", InvokeOptions.dedupeKey(this.key));
		assertThat(third.outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
		assertThat(stateOf(first)).isEqualTo("failed");
		assertThat(stateOf(second)).isEqualTo("failed");
		assertThat(database.jdbc()
			.queryForList(
					"select id from workhorse.job where type = 'task' and key_preview is not null "
							+ "and key_hash = (select key_hash from workhorse.job where id = ?)",
					UUID.class, third.jobId()))
			.containsExactly(third.jobId());
	}

	@Test
	void zeroRetentionFreesTheKeyAtOnce() {
		Conductor keepsNothing = database.builder()
			.retention(Duration.ZERO, Duration.ZERO, Duration.ZERO)
			.build()
			.conductor();
		for (StoredState state : List.of(StoredState.SUCCEEDED, StoredState.FAILED, StoredState.CANCELLED)) {
			InvokeResult first = keepsNothing.invokeWithResult("task", "1", InvokeOptions.dedupeKey(this.key + state));
			state.bringAbout(database.jdbc(), Objects.requireNonNull(first.jobId()));
			InvokeResult second = keepsNothing.invokeWithResult("task", "2", InvokeOptions.dedupeKey(this.key + state));
			assertThat(second.outcome()).isEqualTo(InvokeOutcome.CREATED);
			assertThat(second.jobId()).isNotEqualTo(first.jobId());
		}
	}

	@Test
	void removingAnOldExecutionFreesNoKeyThatANewerOneHolds() {
		UUID first = created("1", InvokeOptions.dedupeKey(this.key));
		StoredState.RUNNING.bringAbout(database.jdbc(), first);
		UUID second = invoke("2", InvokeOptions.dedupeKey(this.key)).jobId();
		database.jdbc().update("delete from workhorse.job_outcome where job_id = ?", first);
		database.jdbc().update("delete from workhorse.job_event where job_id = ?", first);
		database.jdbc().update("delete from workhorse.job where id = ?", first);
		assertThat(invoke("3", InvokeOptions.dedupeKey(this.key)))
			.isEqualTo(new InvokeResult(second, InvokeOutcome.UPDATED));
	}

	@Test
	void retentionRemovesAnExecutionWithItsKeyAndFreesNoneThatANewerOneHolds() {
		UUID finished = created("1", InvokeOptions.dedupeKey(this.key + "-finished"));
		StoredState.SUCCEEDED.bringAbout(database.jdbc(), finished);
		UUID slotted = created("1", InvokeOptions.throttle(Duration.ofDays(365), this.key));
		StoredState.SUCCEEDED.bringAbout(database.jdbc(), slotted);
		UUID old = created("1", InvokeOptions.dedupeKey(this.key));
		StoredState.RUNNING.bringAbout(database.jdbc(), old);
		UUID current = invoke("2", InvokeOptions.dedupeKey(this.key)).jobId();
		database.clock().freezeAt(START.plus(RetentionSettings.DEFAULTS.failed()).plusSeconds(1));
		new Maintenance(database.dataSource(), "workhorse", RetentionSettings.DEFAULTS).run();
		Jobs jobs = database.builder().build().jobs();
		assertThat(List.of(finished, slotted, old)).allMatch((job) -> jobs.find(job).isEmpty());
		assertThat(invoke("3", InvokeOptions.dedupeKey(this.key)))
			.isEqualTo(new InvokeResult(current, InvokeOutcome.UPDATED));
	}

	@Test
	void timelineTellsOfUpdatesAndOfTheSupersede() {
		UUID first = created("1", InvokeOptions.dedupeKey(this.key));
		invoke("2", InvokeOptions.dedupeKey(this.key));
		StoredState.RUNNING.bringAbout(database.jdbc(), first);
		UUID second = invoke("3", InvokeOptions.dedupeKey(this.key)).jobId();
		assertThat(database.builder().build().jobs().timeline(first)).extracting(TimelineEntry::kind)
			.containsExactly("accepted", "replaced", "superseded", "failed");
		assertThat(database.jdbc()
			.queryForObject("select details ->> 'as' from workhorse.job_event where job_id = ?", String.class, first))
			.isEqualTo(String.valueOf(second));
	}

	@Test
	void rollbackLeavesEverythingAsItWas() {
		UUID first = created("1", InvokeOptions.dedupeKey(this.key));
		StoredState.RUNNING.bringAbout(database.jdbc(), first);
		Map<String, Object> before = database.snapshot(first);
		database.transaction().executeWithoutResult((status) -> {
			assertThat(invoke("2", InvokeOptions.dedupeKey(this.key)).outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
			assertThat(invoke("3", InvokeOptions.dedupeKey(this.key)).outcome()).isEqualTo(InvokeOutcome.UPDATED);
			status.setRollbackOnly();
		});
		assertThat(String.valueOf(database.snapshot(first).get("run"))).startsWith("{")
			.isEqualTo(String.valueOf(before.get("run")));
		assertThat(stateOf(first)).isEqualTo("running");
	}

	@Test
	void sameKeyTwiceInABatchIsOneExecutionWithTheLastPayload() {
		// B1 (psteinroe/postgres-conductor)
		List<InvokeResult> results = this.conductor.invokeAll(
				List.of(new InvokeRequest("task", "1", InvokeOptions.dedupeKey(this.key).tags("kept").priority(3)),
						new InvokeRequest("task", "2", InvokeOptions.dedupeKey(this.key).tags("not kept")),
						new InvokeRequest("task", "other", InvokeOptions.dedupeKey(this.key + "-2")),
						new InvokeRequest("task", "unkeyed"), new InvokeRequest("task", "unkeyed")));
		assertThat(results).extracting(InvokeResult::outcome)
			.containsExactly(InvokeOutcome.CREATED, InvokeOutcome.UPDATED, InvokeOutcome.CREATED, InvokeOutcome.CREATED,
					InvokeOutcome.CREATED);
		UUID job = Objects.requireNonNull(results.get(0).jobId());
		assertThat(results.get(1).jobId()).isEqualTo(job);
		assertThat(results.stream().map(InvokeResult::jobId).distinct()).hasSize(4);
		assertThat(database.payload(job)).isEqualTo("\"2\"");
		assertThat(jobColumn(job, "priority")).isEqualTo(0);
		assertThat(database.jdbc()
			.queryForObject("select array_to_string(tags, ',') from workhorse.job where id = ?", String.class, job))
			.isEqualTo("kept");
	}

	@Test
	void batchTakesTheSameNumberOfStatementsHoweverLongItIs() {
		StatementCounter counter = StatementCounter.on(database.dataSource());
		Conductor counted = Workhorse.builder(counter.dataSource()).build().conductor();
		counted.invokeAll(batch(2, "warm"));
		counter.reset();
		counted.invokeAll(batch(3, "few"));
		int few = counter.statements();
		counter.reset();
		assertThat(counted.invokeAll(batch(1_000, "many"))).hasSize(1_000);
		assertThat(counter.statements()).isEqualTo(few);
		counter.reset();
		assertThat(counted.invokeAll(batch(1_000, "many")))
			.allMatch((result) -> result.outcome() == InvokeOutcome.UPDATED);
		assertThat(counter.statements()).isEqualTo(few);
		counter.reset();
		assertThat(counted.invokeAll(List.of())).isEmpty();
		assertThat(counter.statements()).isZero();
	}

	private List<InvokeRequest> batch(int size, String name) {
		List<InvokeRequest> requests = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			requests.add(new InvokeRequest("batch", i, InvokeOptions.dedupeKey(this.key + name + i)));
		}
		return requests;
	}

	@Test
	void whatBreaksABoundIsNamedBeforeAnySql() {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> InvokeOptions.dedupeKey(" "))
			.withMessageContaining("dedupeKey");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> InvokeOptions.dedupeKey("ä".repeat(257)))
			.withMessageContaining("dedupeKey");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> InvokeOptions.throttle(Duration.ofMillis(1500)))
			.withMessageContaining("throttle")
			.withMessageContaining("whole seconds");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> InvokeOptions.debounce(Duration.ofDays(366)))
			.withMessageContaining("debounce");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> InvokeOptions.defaults().runAt(START).delay(Duration.ofSeconds(1)))
			.withMessageContaining("delay");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> InvokeOptions.defaults().delay(Duration.ofSeconds(1)).runAt(START))
			.withMessageContaining("runAt");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.conductor.invokeAll(batch(1_001, "too-many")))
			.withMessageContaining("1,000");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(
					() -> this.conductor.invokeAll(List.of(new InvokeRequest("task", "1"), new InvokeRequest("", "1"))))
			.withMessageContaining("requests[1].type");
	}

	private UUID created(String payload, InvokeOptions options) {
		InvokeResult result = invoke(payload, options);
		assertThat(result.outcome()).isEqualTo(InvokeOutcome.CREATED);
		return Objects.requireNonNull(result.jobId());
	}

	private InvokeResult invoke(String payload, InvokeOptions options) {
		return this.conductor.invokeWithResult("task", payload, options);
	}

	private static String stateOf(UUID job) {
		return database.jdbc()
			.queryForObject(
					"select state from workhorse.job_run where job_id = ? "
							+ "union all select state from workhorse.job_outcome where job_id = ?",
					String.class, job, job);
	}

	private static Map<String, Object> outcomeOf(UUID job) {
		List<Map<String, Object>> rows = database.jdbc()
			.queryForList("select state, attempt, result::text, error::text, started_at, finished_at "
					+ "from workhorse.job_outcome where job_id = ?", job);
		return (rows.isEmpty()) ? Map.of() : rows.get(0);
	}

	private static Object jobColumn(UUID job, String column) {
		return database.jdbc()
			.queryForMap("select %s from workhorse.job where id = ?".formatted(column), job)
			.get(column);
	}

	private static Object runColumn(UUID job, String column) {
		return database.jdbc()
			.queryForMap("select %s from workhorse.job_run where job_id = ?".formatted(column), job)
			.get(column);
	}

}
