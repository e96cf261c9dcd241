package dev.workhorse;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.workhorse.testsupport.ChildJvm;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers in several JVMs, one of which dies.
 */
class TwoJvmRaceIntegrationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static CoreDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@ParameterizedTest
	@EnumSource(KeyMode.class)
	void callersInTwoJvmsGetOneJobPerKey(KeyMode mode) {
		// A13 (corda/corda-runtime-os#5821, lobu-ai/lobu#1286)
		try (ChildJvm one = start(mode.name(), mode.label()); ChildJvm other = start(mode.name(), mode.label())) {
			one.awaitLine("done", TIMEOUT);
			other.awaitLine("done", TIMEOUT);
			Map<String, List<String[]>> decisions = Stream.concat(one.lines().stream(), other.lines().stream())
				.filter((line) -> line.startsWith("decided "))
				.map((line) -> line.split(" "))
				.collect(Collectors.groupingBy((words) -> words[1]));
			assertThat(decisions).hasSize(EnqueueingJvm.ROUNDS).allSatisfy((key, words) -> {
				assertThat(words).hasSize(2 * EnqueueingJvm.CALLERS);
				assertThat(words).extracting((decision) -> decision[2]).containsOnlyOnce("ACCEPTED");
				assertThat(words.stream().map((decision) -> decision[3]).distinct()).hasSize(1);
			});
		}
		assertThat(database.jdbc()
			.queryForObject("select count(*) from workhorse.job where type = 'type' and key_mode = ?", Long.class,
					mode.label()))
			.isEqualTo(EnqueueingJvm.ROUNDS);
	}

	@Test
	void waiterIsAcceptedWhenTheJvmThatHoldsTheKeyIsKilled() {
		// A1: a crash is a rollback
		Queue queue = database.queue();
		try (ChildJvm owner = start("hold", "killed")) {
			String holding = owner.awaitLine("holding ", TIMEOUT).substring("holding ".length());
			Outcomes<EnqueueResult> outcomes = Race.of(3).run((thread) -> {
				if (thread == 0) {
					database.awaitLockWaiters(2);
					owner.kill9();
					return null;
				}
				return queue.enqueueWithResult("killed", 1, EnqueueOptions.idempotencyKey("killed"));
			});
			assertThat(outcomes.failures()).isEmpty();
			assertThat(outcomes.values()).extracting(EnqueueResult::outcome)
				.containsExactlyInAnyOrder(EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLAYED);
			assertThat(outcomes.values().stream().map((result) -> result.jobId().toString()).distinct()).hasSize(1)
				.doesNotContain(holding);
		}
	}

	private static ChildJvm start(String mode, String key) {
		return ChildJvm.of(EnqueueingJvm.class)
			.jvmArgs("-Xmx128m", "-XX:TieredStopAtLevel=1")
			.args(database.database().jdbcUrl(), mode, key)
			.start();
	}

}
