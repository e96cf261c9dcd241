package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invokes of one key against each other and against the worker.
 */
class ReinvokeRaceIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final JdbcTemplate jdbc = database.jdbc();

	private static final AtomicInteger TASKS = new AtomicInteger();

	private final Conductor conductor = database.builder().build().conductor();

	private final UUID worker = UUID.randomUUID();

	private final PostgresLeases leases = new PostgresLeases(jdbc, "workhorse", Duration.ofMinutes(1));

	private final PostgresSettlements settlements = new PostgresSettlements(jdbc, "workhorse");

	private String task;

	@BeforeEach
	void nameTask() {
		this.task = "race-" + TASKS.incrementAndGet();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void reinvokeAgainstNaturalCompletionIsOneOrTheOther() {
		int retained = 0;
		int superseded = 0;
		for (int round = 0; round < 500; round++) {
			InvokeOptions options = InvokeOptions.dedupeKey("round-" + round);
			UUID job = invoke("old", options).jobId();
			Attempt attempt = claim().get(0);
			Outcomes<Object> outcomes = Race.of(2)
				.run((thread) -> (thread == 0) ? invoke("new", options)
						: this.settlements.settle(List.of(Settlement.succeeded(attempt, "1", Duration.ZERO)))
							.containsKey(attempt.lease()));
			assertThat(outcomes.failures()).isEmpty();
			InvokeResult result = (InvokeResult) outcomes.all().get(0).value();
			boolean completed = (boolean) outcomes.all().get(1).value();
			if (!completed && result.outcome() == InvokeOutcome.RETAINED) {
				throw new AssertionError("Retained, but not completed, in round " + round);
			}
			if (result.outcome() == InvokeOutcome.RETAINED) {
				retained++;
				assertThat(result.jobId()).isEqualTo(job);
				assertThat(state(job)).isEqualTo("succeeded");
			}
			else {
				superseded++;
				assertThat(result.outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
				assertThat(completed).as("the settlement passed over the locked row or was refused").isFalse();
				assertThat(state(job)).isEqualTo("failed");
			}
			assertThat(live()).isEqualTo((result.outcome() == InvokeOutcome.SUPERSEDED) ? 1 : 0);
			claim()
				.forEach((left) -> this.settlements.settle(List.of(Settlement.succeeded(left, null, Duration.ZERO))));
		}
		assertThat(retained).as("rounds that ended as retained").isPositive();
		assertThat(superseded).as("rounds that ended as superseded").isPositive();
	}

	@Test
	void reinvokeAgainstClaimRunsTheNewPayloadOrSupersedes() {
		for (int round = 0; round < 200; round++) {
			InvokeOptions options = InvokeOptions.dedupeKey("claim-" + round);
			UUID job = invoke("old", options).jobId();
			List<Attempt> claimed = new ArrayList<>();
			Outcomes<Object> outcomes = Race.of(2)
				.run((thread) -> (thread == 0) ? invoke("new", options) : claimed.addAll(claim()));
			assertThat(outcomes.failures()).isEmpty();
			InvokeResult result = (InvokeResult) outcomes.all().get(0).value();
			if (result.outcome() == InvokeOutcome.UPDATED) {
				assertThat(result.jobId()).isEqualTo(job);
				claimed.addAll(claim());
				assertThat(claimed).singleElement().returns("\"new\"", (attempt) -> attempt.job().payload());
			}
			else {
				assertThat(result.outcome()).isEqualTo(InvokeOutcome.SUPERSEDED);
				assertThat(claimed).isNotEmpty();
				assertThat(claimed.get(0).job().payload()).isEqualTo("\"old\"");
				claimed.remove(0);
				if (claimed.isEmpty()) {
					claimed.addAll(claim());
				}
				assertThat(claimed).singleElement().returns("\"new\"", (attempt) -> attempt.job().payload());
			}
			claimed
				.forEach((left) -> this.settlements.settle(List.of(Settlement.succeeded(left, null, Duration.ZERO))));
		}
	}

	@Test
	void oneOfTwoReinvokesSupersedesAndTheOtherUpdatesTheNewExecution() {
		for (int round = 0; round < 100; round++) {
			InvokeOptions options = InvokeOptions.dedupeKey("two-" + round);
			UUID job = invoke("old", options).jobId();
			claim();
			Outcomes<InvokeResult> outcomes = Race.of(2).run((thread) -> invoke("new-" + thread, options));
			assertThat(outcomes.failures()).isEmpty();
			assertThat(outcomes.values()).extracting(InvokeResult::outcome)
				.containsExactlyInAnyOrder(InvokeOutcome.SUPERSEDED, InvokeOutcome.UPDATED);
			assertThat(outcomes.values()).extracting(InvokeResult::jobId).doesNotContain(job);
			assertThat(outcomes.values().get(0).jobId()).isEqualTo(outcomes.values().get(1).jobId());
			assertThat(live()).isEqualTo(1);
			jdbc.update("delete from workhorse.job_run where type = ?", this.task);
			jdbc.update("delete from workhorse.job where type = ? and id not in "
					+ "(select job_id from workhorse.job_outcome)", this.task);
		}
	}

	@Test
	void manyFirstInvokesOfAKeyCreateOneExecution() {
		for (Outcomes<InvokeResult> round : Race.of(16)
			.rounds(20, (round) -> (thread) -> invoke("p" + thread, InvokeOptions.dedupeKey("first-" + round)))) {
			assertThat(round.failures()).isEmpty();
			assertThat(round.values()).extracting(InvokeResult::outcome)
				.containsOnlyOnce(InvokeOutcome.CREATED)
				.containsOnly(InvokeOutcome.CREATED, InvokeOutcome.UPDATED);
			assertThat(round.values().stream().map(InvokeResult::jobId).distinct()).hasSize(1);
		}
	}

	@Test
	void manyUpdatesOfAPendingExecutionNeverFailAndTheLastCommittedStands() {
		// D9 (kagkarlsson/db-scheduler#775), C9 (triggerdotdev/trigger.dev#3453)
		UUID job = invoke("first", InvokeOptions.dedupeKey("hot")).jobId();
		Outcomes<InvokeResult> outcomes = Race.of(20).run((thread) -> {
			InvokeResult last = null;
			for (int i = 0; i < 20; i++) {
				last = invoke(thread + "-" + i, InvokeOptions.dedupeKey("hot").delay(Duration.ofSeconds(thread + 1)));
			}
			return last;
		});
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).containsOnly(new InvokeResult(job, InvokeOutcome.UPDATED));
		assertThat(jdbc.queryForMap("select replacements, payload #>> '{}' as payload from workhorse.job where id = ?",
				job))
			.containsEntry("replacements", 400)
			.hasEntrySatisfying("payload", (payload) -> assertThat((String) payload).endsWith("-19"));
	}

	@Test
	void oppositeBatchesDoNotDeadlock() {
		List<InvokeRequest> requests = IntStream.range(0, 50)
			.mapToObj((i) -> new InvokeRequest(this.task, i, switch (i % 3) {
				case 0 -> InvokeOptions.dedupeKey("batch-" + i);
				case 1 -> InvokeOptions.throttle(Duration.ofSeconds(1), "batch-" + i);
				default -> InvokeOptions.debounce(Duration.ofSeconds(1), "batch-" + i);
			}))
			.toList();
		List<InvokeRequest> opposite = new ArrayList<>(requests);
		Collections.reverse(opposite);
		Outcomes<Integer> outcomes = Race.of(8).run((thread) -> {
			int answers = 0;
			for (int i = 0; i < 20; i++) {
				answers += this.conductor.invokeAll((thread % 2 == 0) ? requests : opposite).size();
			}
			return answers;
		});
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).containsOnly(1_000);
	}

	private InvokeResult invoke(String payload, InvokeOptions options) {
		return this.conductor.invokeWithResult(this.task, payload, options);
	}

	private List<Attempt> claim() {
		HandlerDefinition definition = HandlerDefinition.of(this.task, String.class, (payload, context) -> null);
		return this.leases.claim(this.worker, "default", Set.of(this.task), 10)
			.stream()
			.map((job) -> new Attempts(database).of(job, definition))
			.toList();
	}

	private int live() {
		return Objects.requireNonNull(
				jdbc.queryForObject("select count(*) from workhorse.job_run where type = ?", Integer.class, this.task));
	}

	private static String state(UUID job) {
		return jdbc.queryForObject("select state from workhorse.job_outcome where job_id = ?", String.class, job);
	}

}
