package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of key state × request → outcome for idempotency keys, line by line.
 */
class EnqueueContractIntegrationTests {

	private static final Duration TTL = Duration.ofMinutes(10);

	private static final Map<String, Object> PAYLOAD = Map.of("order", 7, "items", List.of("a", "b"));

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final String key = "contract-key-" + KEYS.incrementAndGet();

	private Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		database.clock();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void realTime() {
		database.clock().reset();
		this.queue = database.queue();
	}

	@Test
	void freeKeyIsAccepted() {
		EnqueueResult result = enqueue(PAYLOAD);
		assertThat(result.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(holder()).isEqualTo(result.jobId());
		assertThat(database.jdbc()
			.queryForObject("select state from workhorse.job_run where job_id = ?", String.class, result.jobId()))
			.isEqualTo("ready");
	}

	@Test
	void fingerprintOfAnotherVersionIsNoConflictAsLongAsTheValuesAreTheSame() {
		UUID job = enqueue(PAYLOAD).jobId();
		database.jdbc().update("update workhorse.job set key_fingerprint = sha256('a later form') where id = ?", job);
		assertThat(enqueue(PAYLOAD)).isEqualTo(new EnqueueResult(job, EnqueueOutcome.REPLAYED));
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> enqueue(Map.of("order", 8)))
			.satisfies((ex) -> assertThat(ex.fields()).containsExactly("payload"));
	}

	@Test
	void requestWithoutKeyIsAcceptedEveryTime() {
		// F8 (procrastinate-org/procrastinate#372): no key is not a key
		UUID first = this.queue.enqueue("type", PAYLOAD);
		UUID second = this.queue.enqueue("type", PAYLOAD);
		assertThat(second).isNotEqualTo(first);
		assertThat(database.jdbc()
			.queryForObject("select count(*) from workhorse.job where id in (?, ?) and key_hash is null", Integer.class,
					first, second))
			.isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void heldKeyReplaysAnEqualRequestInEveryState(StoredState state) {
		// E7 (triggerdotdev/trigger.dev PR#2376), E8 (inngest/inngest PR#3483)
		UUID original = enqueue(PAYLOAD).jobId();
		state.bringAbout(database.jdbc(), original);
		Map<String, Object> before = database.snapshot(original);
		EnqueueResult repeat = enqueue(PAYLOAD);
		assertThat(repeat).isEqualTo(new EnqueueResult(original, EnqueueOutcome.REPLAYED));
		assertThat(database.snapshot(original)).isEqualTo(before);
	}

	@ParameterizedTest
	@EnumSource
	void heldKeyRefusesADifferentRequestInEveryState(StoredState state) {
		UUID original = enqueue(PAYLOAD).jobId();
		state.bringAbout(database.jdbc(), original);
		Map<String, Object> before = database.snapshot(original);
		long jobs = database.count("job");
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> enqueue(Map.of("order", 8, "items", List.of("a", "b"))))
			.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(original));
		assertThat(database.snapshot(original)).isEqualTo(before);
		assertThat(database.count("job")).isEqualTo(jobs);
		assertThat(enqueue(PAYLOAD).jobId()).isEqualTo(original);
	}

	@ParameterizedTest
	@EnumSource
	void expiredKeyMovesToANewJobAndLeavesTheOldOneAlone(StoredState state) {
		// E4 (zoolutions/sidekiq-unique-jobs#653), E6 (taskforcesh/bullmq#1799)
		UUID old = enqueue(PAYLOAD).jobId();
		state.bringAbout(database.jdbc(), old);
		Map<String, Object> before = withoutKeyHash(old);
		database.clock().advance(TTL);
		EnqueueResult result = enqueue(PAYLOAD);
		assertThat(result.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(result.jobId()).isNotEqualTo(old);
		assertThat(holder()).isEqualTo(result.jobId());
		assertThat(withoutKeyHash(old)).isEqualTo(before);
		assertThat(enqueue(PAYLOAD)).isEqualTo(new EnqueueResult(result.jobId(), EnqueueOutcome.REPLAYED));
	}

	@ParameterizedTest
	@CsvSource({ "same, 7", "different, 8" })
	void expiredKeyThatWasPrunedIsFree(String request, int order) {
		UUID old = enqueue(Map.of("order", 7)).jobId();
		database.clock().advance(TTL);
		database.jdbc().update("update workhorse.job set key_hash = null where id = ?", old);
		Map<String, Object> before = database.snapshot(old);
		EnqueueResult result = enqueue(Map.of("order", order));
		assertThat(result.outcome()).as(request).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(result.jobId()).isNotEqualTo(old);
		assertThat(database.snapshot(old)).isEqualTo(before);
	}

	@Test
	void expiredKeyAcceptsADifferentRequest() {
		UUID old = enqueue(PAYLOAD).jobId();
		database.clock().advance(TTL);
		EnqueueResult result = enqueue("something else");
		assertThat(result.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(result.jobId()).isNotEqualTo(old);
	}

	@Test
	void purgedJobFreesItsKey() {
		// E13 (zoolutions#412)
		UUID old = enqueue(PAYLOAD).jobId();
		database.jdbc()
			.update("with job as (delete from workhorse.job where id = ? returning id)"
					+ " delete from workhorse.job_run using job where job_id = job.id", old);
		EnqueueResult result = enqueue(PAYLOAD);
		assertThat(result.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(result.jobId()).isNotEqualTo(old);
	}

	@Test
	void ttlEndsAtItsVeryMicrosecond() {
		Instant accepted = Instant.parse("2031-05-06T07:08:09.123456Z");
		database.clock().freezeAt(accepted);
		UUID original = enqueue(PAYLOAD).jobId();
		database.clock().freezeAt(accepted.plus(TTL).minusNanos(1_000));
		assertThat(enqueue(PAYLOAD)).isEqualTo(new EnqueueResult(original, EnqueueOutcome.REPLAYED));
		database.clock().freezeAt(accepted.plus(TTL));
		assertThat(enqueue(PAYLOAD).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void replaysDoNotExtendTheTtl() {
		UUID original = enqueue(PAYLOAD).jobId();
		for (int i = 0; i < 3; i++) {
			database.clock().advance(TTL.dividedBy(4));
			assertThat(enqueue(PAYLOAD).jobId()).isEqualTo(original);
		}
		database.clock().advance(TTL.dividedBy(4));
		assertThat(enqueue(PAYLOAD).outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
	}

	@Test
	void newOwnerOfAnExpiredKeyHasAFullTtl() {
		enqueue(PAYLOAD);
		database.clock().advance(TTL.multipliedBy(3));
		UUID second = enqueue(PAYLOAD).jobId();
		database.clock().advance(TTL.minusSeconds(1));
		assertThat(enqueue(PAYLOAD)).isEqualTo(new EnqueueResult(second, EnqueueOutcome.REPLAYED));
	}

	@Test
	void equalKeysOfTwoScopesDoNotMeet() {
		// D11 (graphile/worker#312)
		UUID first = enqueue(PAYLOAD).jobId();
		EnqueueResult other = this.queue.enqueueWithResult("type", "other",
				EnqueueOptions.idempotency(Idempotency.key(this.key).scope("tenant-7")));
		assertThat(other.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(other.jobId()).isNotEqualTo(first);
	}

	@ParameterizedTest
	@CsvSource({ "tail, 'é', 'e\u0301'", "case, a, A", "space, a, 'a '" })
	void keysAreComparedByteForByte(String what, String one, String other) {
		UUID first = this.queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key + one));
		UUID second = this.queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(this.key + other));
		assertThat(second).as(what).isNotEqualTo(first);
	}

	private EnqueueResult enqueue(Object payload) {
		return this.queue.enqueueWithResult("type", payload,
				EnqueueOptions.idempotency(Idempotency.key(this.key).ttl(TTL)));
	}

	private UUID holder() {
		return database.jdbc().queryForObject("""
				select id from workhorse.job where key_hash = sha256(convert_to(?, 'UTF8') || '\\x00'::bytea
				  || convert_to(?, 'UTF8') || '\\x00'::bytea || convert_to(?, 'UTF8'))
				""", UUID.class, "enqueue", "default", this.key);
	}

	private static Map<String, Object> withoutKeyHash(UUID job) {
		return database.jdbc()
			.queryForMap(
					"""
							select
							  (select to_jsonb(j) - 'key_hash' from workhorse.job as j where j.id = given.id)::text as job,
							  (select row_to_json(r)::text || r.xmin::text from workhorse.job_run as r where r.job_id = given.id) as run,
							  (select row_to_json(o)::text || o.xmin::text from workhorse.job_outcome as o where o.job_id = given.id)
							    as outcome
							from (select cast(? as uuid) as id) as given
							""",
					job);
	}

}
