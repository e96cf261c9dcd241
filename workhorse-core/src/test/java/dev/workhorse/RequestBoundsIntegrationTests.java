package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.StatementCounter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The bounds of every request field: what is beyond is refused before any SQL, naming the
 * field, the bound and what was found (E14).
 */
class RequestBoundsIntegrationTests {

	private static CoreDatabase database;

	private static StatementCounter counter;

	private static Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		counter = StatementCounter.on(database.dataSource());
		queue = Workhorse.builder(counter.dataSource()).build().queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@AfterEach
	void reset() {
		counter.reset();
	}

	static Stream<Arguments> beyond() {
		String bytes256 = "1 to 256 UTF-8 bytes";
		String bytes512 = "1 to 512 UTF-8 bytes";
		return Stream.of(refused("key", bytes512, "513 bytes", () -> byKey("k".repeat(513))),
				// 171 characters of three bytes
				refused("key", bytes512, "513 bytes", () -> byKey("€".repeat(171))),
				refused("key", bytes512, "516 bytes", () -> byKey("😀".repeat(129))),
				refused("key", bytes512, "empty", () -> byKey("")),
				refused("key", bytes512, "blank", () -> byKey(" \t\u2003")),
				refused("key", bytes512, "null", () -> byKey(null)),
				refused("key", bytes512, "NUL at index 1", () -> byKey("a\0b")),
				refused("key", bytes512, "unpaired surrogate at index 2", () -> byKey("ab\uD83Dc")),
				refused("key", bytes512, "unpaired surrogate at index 0", () -> byKey("\uDE00")),
				refused("scope", bytes256, "257 bytes", () -> byScope("s".repeat(257))),
				refused("scope", bytes256, "258 bytes", () -> byScope("é".repeat(129))),
				refused("scope", bytes256, "blank", () -> byScope(" ")),
				refused("scope", bytes256, "NUL at index 0", () -> byScope("\0")),
				refused("scope", bytes256, "unpaired surrogate at index 0", () -> byScope("\uD800x")),
				refused("type", bytes256, "257 bytes", () -> queue.enqueue("t".repeat(257), 1)),
				refused("type", bytes256, "empty", () -> queue.enqueue("", 1)),
				refused("type", bytes256, "null", () -> queue.enqueue(null, 1)),
				refused("type", bytes256, "NUL at index 1", () -> queue.enqueue("t\0", 1)),
				refused("queue", bytes256, "257 bytes", () -> with().queue("q".repeat(257))),
				refused("queue", bytes256, "blank", () -> with().queue("\n")),
				refused("ttl", "1 ms to 365 days", "PT0S", () -> byTtl(Duration.ZERO)),
				refused("ttl", "1 ms to 365 days", "PT-0.001S", () -> byTtl(Duration.ofMillis(-1))),
				refused("ttl", "whole milliseconds", "PT0.0015S", () -> byTtl(Duration.ofNanos(1_500_000))),
				refused("ttl", "1 ms to 365 days", "PT0.000999999S", () -> byTtl(Duration.ofNanos(999_999))),
				refused("ttl", "1 ms to 365 days", "PT8760H0.001S", () -> byTtl(Duration.ofDays(365).plusMillis(1))),
				refused("ttl", "1 ms to 365 days", "null", () -> byTtl(null)),
				refused("priority", "0 to 100", "-1", () -> with().priority(-1)),
				refused("priority", "0 to 100", "101", () -> with().priority(101)),
				refused("maxAttempts", "1 to 100", "0", () -> with().maxAttempts(0)),
				refused("maxAttempts", "1 to 100", "101", () -> with().maxAttempts(101)),
				refused("tags", "at most 20", "21", () -> with().tags(numbered(21))),
				refused("tags", "1 to 100 characters each", "101 characters", () -> with().tags("x".repeat(101))),
				refused("tags", "not blank", "empty", () -> with().tags("a", "")),
				refused("tags", "without NUL", "NUL at index 0", () -> with().tags("\0")),
				refused("tags", "unpaired surrogates", "index 0", () -> with().tags("\uDC00")),
				refused("runAt", "1970-01-01", "1969-12-31T23:59:59.999999999Z",
						() -> with().runAt(Instant.EPOCH.minusNanos(1))),
				refused("runAt", "9999-12-31T23:59:59Z", "+10000-01-01T00:00:00Z",
						() -> with().runAt(Instant.parse("+10000-01-01T00:00:00Z"))),
				refused("runAt", "9999-12-31T23:59:59Z", "+1000000000-12-31", () -> with().runAt(Instant.MAX)),
				refused("retryPolicy.delay", "1 ms to 365 days", "PT0S", () -> RetryPolicy.fixed(Duration.ZERO)),
				refused("retryPolicy.max", "at least", "PT1S",
						() -> RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1))));
	}

	@ParameterizedTest
	@MethodSource("beyond")
	void valueBeyondItsBoundIsRefusedBeforeAnySql(String field, String bound, String found, ThrowingCallable request) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(request)
			.withMessageContainingAll("'" + field + "'", bound, found)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field))
			.satisfies((ex) -> assertThat(ex.bound()).contains(bound))
			.isInstanceOf(IllegalArgumentException.class);
		assertThat(counter.statements()).isZero();
	}

	static Stream<ThrowingCallable> within() {
		return Stream.of(() -> byKey("k"), () -> byKey("k".repeat(512)), () -> byKey("€".repeat(170) + "ab"),
				() -> byKey("😀".repeat(128)), () -> byKey(" inner and outer space "), () -> byScope("s".repeat(256)),
				() -> byScope("é".repeat(128)), () -> queue.enqueue("t".repeat(256), 1),
				() -> queue.enqueue("type", 1, with().queue("é".repeat(128))), () -> byTtl(Duration.ofMillis(1)),
				() -> byTtl(Duration.ofDays(365)), () -> queue.enqueue("type", 1, with().priority(0)),
				() -> queue.enqueue("type", 1, with().priority(100)),
				() -> queue.enqueue("type", 1, with().maxAttempts(1)),
				() -> queue.enqueue("type", 1, with().maxAttempts(100)),
				() -> queue.enqueue("type", 1, with().tags(numbered(20))),
				// the 21st is a repeat of the first
				() -> queue.enqueue("type", 1, with().tags(concat(numbered(20), "tag0"))),
				() -> queue.enqueue("type", 1, with().tags("😀".repeat(100))),
				() -> queue.enqueue("type", 1, with().runAt(Instant.EPOCH)),
				() -> queue.enqueue("type", 1, with().runAt(Instant.parse("9999-12-31T23:59:59Z"))),
				() -> queue.enqueue("type", 1, with().retryPolicy(RetryPolicy.fixed(Duration.ofDays(365)))));
	}

	@ParameterizedTest
	@MethodSource("within")
	void valueAtItsBoundIsAccepted(ThrowingCallable request) throws Throwable {
		long before = database.count("job");
		request.call();
		assertThat(database.count("job")).isEqualTo(before + 1);
	}

	@Test
	void storedNamesAndTimesAreThoseGiven() {
		String name = "name-é-😀-' \" ; \\ %";
		var job = queue.enqueue(name, 1,
				with().queue(name).tags(name).runAt(Instant.parse("2040-01-02T03:04:05.123456999Z")));
		assertThat(database.jdbc()
			.queryForMap("select type, queue, tags[1] as tag, run_at = '2040-01-02T03:04:05.123456Z' as same"
					+ " from workhorse.job where id = ?", job))
			.containsEntry("type", name)
			.containsEntry("queue", name)
			.containsEntry("tag", name)
			.containsEntry("same", true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "fixed", "fixed:", "fixed:10", "exponential:PT1S", "polynomial:PT1S", "linear" })
	void textThatIsNoRetryPolicyIsRefusedWithTheForms(String text) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> RetryPolicy.parse(text))
			.withMessageContainingAll("retryPolicy", "polynomial", "fixed:<delay>", "exponential:<initial>:<max>");
	}

	private static Arguments refused(String field, String bound, String found, ThrowingCallable request) {
		return Arguments.of(field, bound, found, request);
	}

	private static EnqueueOptions.Schedulable with() {
		return EnqueueOptions.defaults();
	}

	private static void byKey(String key) {
		queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(key));
	}

	private static void byScope(String scope) {
		queue.enqueue("type", 1, EnqueueOptions.idempotency(Idempotency.key("k").scope(scope)));
	}

	private static void byTtl(Duration ttl) {
		queue.enqueue("type", 1, EnqueueOptions.idempotency(Idempotency.key("ttl of " + ttl).ttl(ttl)));
	}

	private static String[] numbered(int count) {
		return IntStream.range(0, count).mapToObj((i) -> "tag" + i).toArray(String[]::new);
	}

	private static String[] concat(String[] tags, String tag) {
		return Stream.concat(Stream.of(tags), Stream.of(tag)).toArray(String[]::new);
	}

}
