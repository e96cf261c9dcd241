package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.workhorse.EnqueueOptions.Schedulable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When two requests are the same one, field by field (I1 to I4).
 */
class RequestEquivalenceIntegrationTests {

	private static final Instant RUN_AT = Instant.parse("2040-01-02T03:04:05.123456789Z");

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue queue;

	private final String key = "equivalence-" + KEYS.incrementAndGet();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		queue = database.queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	static Stream<Arguments> oneFieldApart() {
		return Stream.of(Arguments.of("queue", change((options) -> options.queue("other"))),
				Arguments.of("priority", change((options) -> options.priority(1))),
				Arguments.of("tags", change((options) -> options.tags("red"))),
				Arguments.of("maxAttempts", change((options) -> options.maxAttempts(24))),
				Arguments.of("retryPolicy",
						change((options) -> options.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1))))),
				Arguments.of("runAt", change((options) -> options.runAt(RUN_AT))));
	}

	@ParameterizedTest
	@MethodSource("oneFieldApart")
	void fieldThatDiffersAloneIsNamedAlone(String field, UnaryOperator<Schedulable> change) {
		UUID original = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
		Map<String, Object> before = database.snapshot(original);
		Schedulable changed = change.apply(EnqueueOptions.idempotencyKey(this.key));
		assertConflict(original, "type", 1, changed, field);
		assertThat(database.snapshot(original)).isEqualTo(before);
	}

	@ParameterizedTest
	@MethodSource("oneFieldApart")
	void fieldLeftOutByTheRepeatIsNamedAlone(String field, UnaryOperator<Schedulable> change) {
		UUID original = queue.enqueue("type", 1, change.apply(EnqueueOptions.idempotencyKey(this.key)));
		assertConflict(original, "type", 1, EnqueueOptions.idempotencyKey(this.key), field);
	}

	@ParameterizedTest
	@MethodSource("oneFieldApart")
	void fieldThatIsEqualInBothReplays(String field, UnaryOperator<Schedulable> change) {
		UUID original = queue.enqueue("type", 1, change.apply(EnqueueOptions.idempotencyKey(this.key)));
		assertReplay(original, change.apply(EnqueueOptions.idempotencyKey(this.key)));
	}

	@Test
	void typePayloadAndTtlThatDifferAloneAreNamedAlone() {
		UUID original = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
		assertConflict(original, "Type", 1, EnqueueOptions.idempotencyKey(this.key), "type");
		assertConflict(original, "type", 2, EnqueueOptions.idempotencyKey(this.key), "payload");
		// I3
		assertConflict(original, "type", 1, ttl(Duration.ofHours(23)), "ttl");
	}

	@Test
	void severalDifferencesAreSortedAndNamedOnce() {
		UUID original = queue.enqueue("type", Map.of("a", 1, "b", 2), EnqueueOptions.idempotencyKey(this.key));
		Schedulable changed = ttl(Duration.ofHours(1)).queue("other")
			.priority(9)
			.tags("x")
			.maxAttempts(3)
			.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1)))
			.runAt(RUN_AT);
		assertConflict(original, "other-type", Map.of("a", 3, "b", 4), changed, "maxAttempts", "payload", "priority",
				"queue", "retryPolicy", "runAt", "tags", "ttl", "type");
	}

	static Stream<Arguments> defaults() {
		return Stream.of(Arguments.of("queue", change((options) -> options.queue("default"))),
				Arguments.of("priority", change((options) -> options.priority(0))),
				Arguments.of("tags", change((options) -> options.tags())),
				Arguments.of("maxAttempts", change((options) -> options.maxAttempts(25))),
				Arguments.of("retryPolicy", change((options) -> options.retryPolicy(RetryPolicy.polynomial()))));
	}

	@ParameterizedTest
	@MethodSource("defaults")
	void namingTheDefaultEqualsLeavingItOut(String field, UnaryOperator<Schedulable> naming) {
		// I2
		UUID omitted = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
		assertReplay(omitted, naming.apply(EnqueueOptions.idempotencyKey(this.key)));
		UUID named = queue.enqueue("type", 1, naming.apply(EnqueueOptions.idempotencyKey(this.key + field)));
		assertThat(queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key + field))).isEqualTo(named);
	}

	@Test
	void defaultTtlAndScopeEqualLeavingThemOut() {
		// I2, I3
		UUID original = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
		assertReplay(original, ttl(Duration.ofHours(24)));
		assertReplay(original, EnqueueOptions.idempotency(Idempotency.key(this.key).scope("default")));
	}

	@Test
	void orderAndDuplicatesOfTagsDoNotCount() {
		// I2
		UUID original = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key).tags("b", "a", "b"));
		assertReplay(original, EnqueueOptions.idempotencyKey(this.key).tags("a", "b"));
		assertConflict(original, "type", 1, EnqueueOptions.idempotencyKey(this.key).tags("a", "b", "c"), "tags");
		assertConflict(original, "type", 1, EnqueueOptions.idempotencyKey(this.key).tags("ab"), "tags");
	}

	@Test
	void omittedRunAtStaysEqualHoursLater() {
		// I2: omitted matches omitted however much later it is repeated
		database.clock().reset();
		UUID original = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key));
		database.clock().advance(Duration.ofHours(1));
		assertReplay(original, EnqueueOptions.idempotencyKey(this.key));
		assertConflict(original, "type", 1, EnqueueOptions.idempotencyKey(this.key).runAt(createdAt(original)),
				"runAt");
	}

	@Test
	void runAtIsComparedAsAnInstantOfMicroseconds() {
		// I2: another zone, and the nanoseconds that PostgreSQL does not keep
		UUID original = queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key).runAt(RUN_AT));
		assertReplay(original, EnqueueOptions.idempotencyKey(this.key).runAt(RUN_AT));
		assertReplay(original, EnqueueOptions.idempotencyKey(this.key)
			.runAt(OffsetDateTime.parse("2040-01-02T05:34:05.123456+02:30").toInstant()));
		assertConflict(original, "type", 1,
				EnqueueOptions.idempotencyKey(this.key).runAt(Instant.parse("2040-01-02T03:04:05.123457Z")), "runAt");
	}

	@Test
	void payloadsAreComparedAsJsonValues() {
		// I1
		Map<String, Object> payload = new LinkedHashMap<>();
		payload.put("b", List.of(1, 2));
		payload.put("a", 1.0);
		UUID original = queue.enqueue("type", payload, EnqueueOptions.idempotencyKey(this.key));
		assertThat(
				queue.enqueue("type", Map.of("a", 1, "b", List.of(1.0, 2L)), EnqueueOptions.idempotencyKey(this.key)))
			.isEqualTo(original);
		assertConflict(original, "type", Map.of("a", 1, "b", List.of(2, 1)), EnqueueOptions.idempotencyKey(this.key),
				"payload");
		assertConflict(original, "type", null, EnqueueOptions.idempotencyKey(this.key), "payload");
	}

	private Schedulable ttl(Duration ttl) {
		return EnqueueOptions.idempotency(Idempotency.key(this.key).ttl(ttl));
	}

	private static UnaryOperator<Schedulable> change(UnaryOperator<Schedulable> change) {
		return change;
	}

	private static Instant createdAt(UUID job) {
		return database.jdbc()
			.queryForObject("select created_at from workhorse.job where id = ?", OffsetDateTime.class, job)
			.toInstant();
	}

	private static void assertReplay(UUID original, Schedulable options) {
		assertThat(queue.enqueueWithResult("type", 1, options))
			.isEqualTo(new EnqueueResult(original, EnqueueOutcome.REPLAYED));
	}

	private static void assertConflict(UUID original, String type, Object payload, Schedulable options,
			String... fields) {
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> queue.enqueueWithResult(type, payload, options))
			.satisfies((ex) -> {
				assertThat(ex.fields()).containsExactly(fields);
				assertThat(ex.existingJobId()).isEqualTo(original);
				assertThat(ex).hasMessageContaining(original.toString())
					.hasMessageContaining(List.of(fields).toString());
			});
	}

}
