package dev.workhorse.internal.event;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.Subscription;
import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.Race.Outcomes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how long the key of an event is remembered: while it is being dispatched, and
 * for a day after that.
 */
class DedupeRetentionIntegrationTests {

	private static CoreDatabase database;

	private final Emitters emitters = new Emitters(database);

	private final PostgresEvents events = this.emitters.events();

	private final Maintenance maintenance = new Maintenance(database.dataSource(), "workhorse",
			RetentionSettings.DEFAULTS);

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.clock();
	}

	@AfterEach
	void stopNodes() {
		this.emitters.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private UUID emit(String key) {
		return this.events.emit("paid", key, EmitOptions.dedupeKey(key));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void memoryCountsFromTheDispatch(boolean maintained) {
		// H5: nobody dispatches for longer than the retention
		String key = "counted-" + maintained;
		this.emitters.declare(Emitters.subscriber("counted", Subscription.to("paid")));
		UUID first = emit(key);
		database.clock().advance(Duration.ofDays(3));
		this.maintenance.run();
		assertThat(emit(key)).isEqualTo(first);
		this.emitters.dispatchAll();
		database.clock().advance(Duration.ofHours(23));
		this.maintenance.run();
		assertThat(emit(key)).isEqualTo(first);
		assertThat(this.emitters.payloads("counted")).containsOnlyOnce('"' + key + '"');
		database.clock().advance(Duration.ofHours(1).plusMinutes(1));
		if (maintained) {
			this.maintenance.run();
			assertThat(remembered(first)).isFalse();
		}
		UUID second = emit(key);
		assertThat(second).isNotEqualTo(first);
		assertThat(emit(key)).isEqualTo(second);
		assertThat(remembered(first)).isFalse();
	}

	@Test
	void forgottenKeyHitByManyAtOnceIsEmittedOnce() {
		// E6 (taskforcesh/bullmq#1799)
		UUID first = emit("many");
		this.emitters.dispatchAll();
		database.clock().advance(Duration.ofDays(2));
		Outcomes<UUID> outcomes = Race.of(8).run(() -> emit("many"));
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).hasSize(8).containsOnly(outcomes.values().get(0)).doesNotContain(first);
	}

	@Test
	void rolledBackEmitOfAForgottenKeyLeavesTheOldEvent() {
		UUID first = emit("back");
		this.emitters.dispatchAll();
		database.clock().advance(Duration.ofDays(2));
		database.transaction().executeWithoutResult((status) -> {
			assertThat(emit("back")).isNotEqualTo(first);
			status.setRollbackOnly();
		});
		assertThat(remembered(first)).isTrue();
	}

	@Test
	void retentionIsOneToTwoDays() {
		assertRefused(Duration.ofDays(1).minusMillis(1));
		assertRefused(Duration.ofDays(2).plusMillis(1));
		database.builder().eventDedupeRetention(Duration.ofDays(2)).build();
	}

	private static void assertRefused(Duration retention) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> database.builder().eventDedupeRetention(retention).build())
			.withMessageContaining("1 to 2 days");
	}

	private static boolean remembered(UUID event) {
		return Boolean.TRUE.equals(database.jdbc()
			.queryForObject("select exists (select from workhorse.event where id = ?)", Boolean.class, event));
	}

}
