package dev.workhorse;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What a conflict tells, and what it keeps to itself (I4).
 */
class ConflictDetailsIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue queue;

	private final String key = "conflict-details-" + KEYS.incrementAndGet();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		queue = database.queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void tellsScopePreviewDigestLengthAndHolder() {
		UUID job = queue.enqueue("type", 1,
				EnqueueOptions.idempotency(Idempotency.key("Invoice-2031-000123").scope("billing")));
		EnqueueIdempotencyConflictException conflict = catchThrowableOfType(EnqueueIdempotencyConflictException.class,
				() -> queue.enqueue("type", 2,
						EnqueueOptions.idempotency(Idempotency.key("Invoice-2031-000123").scope("billing"))));
		byte[] hash = database.jdbc()
			.queryForObject("select key_hash from workhorse.job where id = ?", byte[].class, job);
		assertThat(conflict.scope()).isEqualTo("billing");
		assertThat(conflict.keyPreview()).isEqualTo("Inv…3");
		assertThat(conflict.keyLength()).isEqualTo(19);
		assertThat(conflict.keyDigest()).isEqualTo(HexFormat.of().formatHex(hash).substring(0, 12));
		assertThat(conflict.existingJobId()).isEqualTo(job);
		assertThat(conflict).hasMessageContainingAll("billing/Inv…3", conflict.keyDigest(), job.toString(), "payload",
				"use another key");
		assertThat(conflict.getMessage()).doesNotContain("2031-0001");
	}

	@Test
	void pointsToTheDifferentPlacesWithoutValues() {
		queue.enqueue("type", Map.of("same", 1, "changed", "secret-old", "removed", true, "list", List.of(1, 2, 3)),
				EnqueueOptions.idempotencyKey(this.key));
		EnqueueIdempotencyConflictException conflict = conflict(
				Map.of("same", 1.0, "changed", "secret-new", "added", 5, "list", List.of(1, 9, 3, 4)));
		assertThat(conflict.payloadPointers()).containsExactly("/added", "/changed", "/list/1", "/list/3", "/removed");
		assertThat(conflict.fields()).containsExactly("payload");
		assertThat(conflict.toString()).doesNotContain("secret-old", "secret-new");
	}

	@Test
	void escapesTildeAndSlashInPointers() {
		queue.enqueue("type", Map.of("a/b~c", Map.of("", 1), "m", 1), EnqueueOptions.idempotencyKey(this.key));
		assertThat(conflict(Map.of("a/b~c", Map.of("", 2), "m", 1)).payloadPointers()).containsExactly("/a~1b~0c/");
	}

	@Test
	void pointsToTheWholePayloadWhereTheKindOfValueDiffers() {
		queue.enqueue("type", Map.of("a", 1), EnqueueOptions.idempotencyKey(this.key));
		assertThat(conflict(List.of(1)).payloadPointers()).containsExactly("");
		assertThat(conflict(null).payloadPointers()).containsExactly("");
	}

	@Test
	void absentAndNullAreDifferent() {
		TreeMap<String, Object> withNull = new TreeMap<>();
		withNull.put("a", null);
		queue.enqueue("type", withNull, EnqueueOptions.idempotencyKey(this.key));
		assertThat(conflict(Map.of()).payloadPointers()).containsExactly("/a");
	}

	@Test
	void stopsAtTwentyPointers() {
		queue.enqueue("type", numbers(0, 50), EnqueueOptions.idempotencyKey(this.key));
		assertThat(conflict(numbers(1, 50)).payloadPointers()).hasSize(20).first().isEqualTo("/0");
		assertThat(conflict(numbers(0, 90)).payloadPointers()).hasSize(20).first().isEqualTo("/50");
	}

	@Test
	void hasNoPointersWhereThePayloadIsEqual() {
		queue.enqueue("type", Map.of("a", 1), EnqueueOptions.idempotencyKey(this.key));
		EnqueueIdempotencyConflictException conflict = catchThrowableOfType(EnqueueIdempotencyConflictException.class,
				() -> queue.enqueue("other", Map.of("a", 1), EnqueueOptions.idempotencyKey(this.key)));
		assertThat(conflict.payloadPointers()).isEmpty();
		assertThat(conflict.fields()).containsExactly("type");
	}

	private EnqueueIdempotencyConflictException conflict(Object payload) {
		return catchThrowableOfType(EnqueueIdempotencyConflictException.class,
				() -> queue.enqueue("type", payload, EnqueueOptions.idempotencyKey(this.key)));
	}

	private static List<Integer> numbers(int offset, int count) {
		return IntStream.range(0, count).map((i) -> i + offset).boxed().toList();
	}

}
