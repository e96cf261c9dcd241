package dev.workhorse;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.EnqueueOptions.Schedulable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two versions of an application with different defaults on one database (I6): a changed
 * default must not turn retained keys into conflicts.
 */
class ChangedDefaultsIntegrationTests {

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private static Queue before;

	private static Queue after;

	private final String key = "defaults-" + KEYS.incrementAndGet();

	private UUID original;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		before = database.queue();
		after = database.builder()
			.maxAttempts(10)
			.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(5)))
			.idempotencyTtl(Duration.ofHours(1))
			.build()
			.queue();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void acceptByTheOldVersion() {
		this.original = before.enqueue("type", "payload", EnqueueOptions.idempotencyKey(this.key));
	}

	@Test
	void fieldsLeftOutByBothReplay() {
		assertReplay(EnqueueOptions.idempotencyKey(this.key));
	}

	@Test
	void namingTheOldDefaultsReplays() {
		assertReplay(ttl(Duration.ofHours(24)).maxAttempts(25).retryPolicy(RetryPolicy.polynomial()));
	}

	@Test
	void namingOneOldDefaultAndLeavingOutTheOthersReplays() {
		assertReplay(EnqueueOptions.idempotencyKey(this.key).maxAttempts(25));
		assertReplay(EnqueueOptions.idempotencyKey(this.key).retryPolicy(RetryPolicy.polynomial()));
		assertReplay(ttl(Duration.ofHours(24)));
	}

	@Test
	void namingTheNewDefaultsConflicts() {
		assertConflict(after, this.key,
				ttl(Duration.ofHours(1)).maxAttempts(10).retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(5))),
				"maxAttempts", "retryPolicy", "ttl");
	}

	@Test
	void valueNamedBeforeReplaysWhereItIsTheNewDefault() {
		String named = this.key + "-named";
		UUID job = before.enqueue("type", "payload", EnqueueOptions.idempotencyKey(named).maxAttempts(10));
		assertThat(after.enqueue("type", "payload", EnqueueOptions.idempotencyKey(named))).isEqualTo(job);
	}

	@Test
	void valueNamedBeforeConflictsWithAnotherDefaultLeftOutNow() {
		String named = this.key + "-named";
		before.enqueue("type", "payload", EnqueueOptions.idempotencyKey(named).maxAttempts(7));
		assertConflict(after, named, EnqueueOptions.idempotencyKey(named), "maxAttempts");
	}

	@Test
	void otherDifferencesAreStillFoundAndDefaultsAreNotAmongThem() {
		assertConflict(after, this.key, EnqueueOptions.idempotencyKey(this.key).priority(3), "priority");
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> after.enqueue("type", "other", EnqueueOptions.idempotencyKey(this.key)))
			.satisfies((ex) -> assertThat(ex.fields()).containsExactly("payload"));
	}

	@Test
	void oldVersionReplaysWhatTheNewOneAccepted() {
		String rolledBack = this.key + "-new";
		UUID job = after.enqueue("type", "payload", EnqueueOptions.idempotencyKey(rolledBack));
		assertThat(before.enqueueWithResult("type", "payload", EnqueueOptions.idempotencyKey(rolledBack)))
			.isEqualTo(new EnqueueResult(job, EnqueueOutcome.REPLAYED));
	}

	private Schedulable ttl(Duration ttl) {
		return EnqueueOptions.idempotency(Idempotency.key(this.key).ttl(ttl));
	}

	private void assertReplay(Schedulable options) {
		assertThat(after.enqueueWithResult("type", "payload", options))
			.isEqualTo(new EnqueueResult(this.original, EnqueueOutcome.REPLAYED));
	}

	private static void assertConflict(Queue queue, String key, Schedulable options, String... fields) {
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class).as(key)
			.isThrownBy(() -> queue.enqueue("type", "payload", options))
			.satisfies((ex) -> assertThat(ex.fields()).containsExactly(fields));
	}

}
