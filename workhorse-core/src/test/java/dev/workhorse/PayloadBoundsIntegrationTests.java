package dev.workhorse;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadTooDeepException;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.StatementCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What {@code jsonb} cannot carry is refused before any SQL, with the JSON pointer of the
 * place (G17, I1).
 */
class PayloadBoundsIntegrationTests {

	private static final int MEBIBYTE = 1024 * 1024;

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

	@BeforeEach
	void reset() {
		counter.reset();
	}

	static Stream<Arguments> uncarriable() {
		return Stream.of(Arguments.of("a\0b", "NUL", "at the root"), Arguments.of(Map.of("a", "\0"), "NUL", "at '/a'"),
				Arguments.of(Map.of("a\0", 1), "NUL", "at '/a\0'"),
				Arguments.of(List.of(1, Map.of("x/y~z", "\0")), "NUL", "at '/1/x~1y~0z'"),
				Arguments.of(Map.of("a", "\uD83D"), "unpaired surrogate", "at '/a'"),
				Arguments.of(Map.of("a", "x\uDE00y"), "unpaired surrogate", "at '/a'"),
				Arguments.of(Double.NaN, "NaN", "at the root"), Arguments.of(Float.NaN, "NaN", "at the root"),
				Arguments.of(Double.POSITIVE_INFINITY, "Infinity", "at the root"),
				Arguments.of(List.of(0.5, Double.NEGATIVE_INFINITY), "-Infinity", "at '/1'"),
				Arguments.of(Map.of("m", Map.of("f", Float.POSITIVE_INFINITY)), "Infinity", "at '/m/f'"),
				Arguments.of(new Measured("x", Double.NaN, List.of(1f)), "NaN", "at '/value'"),
				Arguments.of(new Measured("x", 1, List.of(1f, Float.NaN)), "NaN", "at '/series/1'"),
				Arguments.of(Map.of("n", new BigDecimal("1e1000")), "1,000 digits", "at '/n'"),
				Arguments.of(Map.of("n", new BigDecimal("1e-1001")), "1,000 digits", "at '/n'"),
				Arguments.of(new BigDecimal("1e999999999"), "1,000 digits", "at the root"));
	}

	@ParameterizedTest
	@MethodSource("uncarriable")
	void payloadThatJsonbCannotCarryIsRefusedWithItsPlace(Object payload, String problem, String place) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> queue.enqueue("type", payload))
			.withMessageContainingAll("'payload'", problem, place)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("payload"));
		assertThat(counter.statements()).isZero();
	}

	static Stream<Object> carriable() {
		return Stream.of("", "\u0001\t\n\"\\/", "\uFFFF\uFEFF\u2028", "😀e\u0301", Long.MAX_VALUE, Double.MIN_VALUE,
				Double.MAX_VALUE, new BigDecimal("1e999"), new BigDecimal("1e-999"), -0.0, List.of(), Map.of(),
				Map.of("", ""), nested(900), "NaN", "Infinity");
	}

	@ParameterizedTest
	@MethodSource("carriable")
	void payloadThatJsonbCanCarryIsStored(Object payload) {
		String key = "carriable " + UUID.randomUUID();
		UUID job = queue.enqueue("type", payload, EnqueueOptions.idempotencyKey(key));
		assertThat(queue.enqueue("type", payload, EnqueueOptions.idempotencyKey(key))).isEqualTo(job);
	}

	@Test
	void nullPayloadIsStoredAsJsonNull() {
		UUID job = queue.enqueue("type", null);
		assertThat(payloadOf(job)).isEqualTo("null");
	}

	@Test
	void largestPayloadIsOneMebibyteOfJsonText() {
		// two of the bytes are the quotes
		UUID job = queue.enqueue("type", "x".repeat(MEBIBYTE - 2));
		assertThat(payloadOf(job)).hasSize(MEBIBYTE);
		assertTooLarge(queue, "x".repeat(MEBIBYTE - 1), "1,048,576", "1,048,577");
	}

	@Test
	void sizeOfAPayloadIsCountedInBytes() {
		queue.enqueue("type", "é".repeat((MEBIBYTE - 2) / 2));
		assertTooLarge(queue, "é".repeat(MEBIBYTE / 2), "1,048,576", "1,048,578");
		queue.enqueue("type", "😀".repeat((MEBIBYTE - 2) / 4));
		assertTooLarge(queue, "😀".repeat(MEBIBYTE / 4), "1,048,576", "1,048,578");
	}

	@Test
	void numbersCountInPlainNotationSoThatAShortTextCannotGrowInside() {
		Object[] numbers = new Object[1_100];
		Arrays.fill(numbers, new BigDecimal("1e990"));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> queue.enqueue("type", numbers))
			.withMessageContaining("at most 1,048,576 bytes");
	}

	@Test
	void sizeIsConfigurable() {
		Queue small = Workhorse.builder(counter.dataSource()).maxPayloadBytes(10).build().queue();
		small.enqueue("type", "12345678");
		counter.reset();
		assertTooLarge(small, "123456789", "at most 10 bytes", "11 bytes");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> Workhorse.builder(counter.dataSource()).maxPayloadBytes(16 * MEBIBYTE + 1).build());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1_001, 5_000 })
	void tooDeepPayloadIsRefusedWithTheBound(int depth) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> queue.enqueue("type", nested(depth)))
			.withMessageContainingAll("'payload'", "1,000 levels deep", "nested deeper", "correct the request")
			.withCauseInstanceOf(PayloadTooDeepException.class);
		assertThat(counter.statements()).isZero();
	}

	@Test
	void tooDeepTextOfAnotherCodecIsRefusedWithTheBound() {
		PayloadCodec deep = mock();
		given(deep.write(any())).willReturn("[".repeat(1_001) + "]".repeat(1_001));
		Queue other = Workhorse.builder(counter.dataSource()).codec(deep).build().queue();
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> other.enqueue("type", 1))
			.withMessageContainingAll("'payload'", "1,000 levels deep");
		assertThat(counter.statements()).isZero();
	}

	@Test
	void payloadThatContainsItselfIsRefused() {
		List<Object> cycle = new ArrayList<>();
		cycle.add(cycle);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> queue.enqueue("type", cycle))
			.withMessageContainingAll("'payload'", "containing itself");
		assertThat(counter.statements()).isZero();
	}

	@Test
	void typeNamedInAPayloadCreatesNothing() {
		Map<String, Object> payload = Map.of("@class", "java.util.concurrent.atomic.AtomicLong", "value", 1);
		UUID job = queue.enqueue("type", payload);
		assertThat(payloadOf(job)).contains("\"@class\": \"java.util.concurrent.atomic.AtomicLong\"");
		assertThat(new Jackson2PayloadCodec().read(payloadOf(job), Object.class)).isEqualTo(payload);
	}

	private static void assertTooLarge(Queue queue, Object payload, String bound, String found) {
		counter.reset();
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> queue.enqueue("type", payload))
			.withMessageContainingAll("'payload'", bound, found);
		assertThat(counter.statements()).isZero();
	}

	private static String payloadOf(UUID job) {
		return database.jdbc()
			.queryForObject("select payload::text from workhorse.job where id = ?", String.class, job);
	}

	private static Object nested(int depth) {
		List<Object> outer = new ArrayList<>();
		for (int i = 1; i < depth; i++) {
			outer = new ArrayList<>(List.of(outer));
		}
		return outer;
	}

	record Measured(String name, double value, List<Float> series) {

	}

}
