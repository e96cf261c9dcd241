package dev.workhorse.docs;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.runtime.Workhorse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class IdempotentEnqueueDocsIntegrationTests {

	private static CoreDatabase database;

	private static Workhorse workhorse;

	private final Queue queue = workhorse.queue();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
		workhorse = Workhorse.builder(database.dataSource()).build();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void repeatGetsTheOriginalJob() {
		String delivery = "6f1c-first";
		Push push = new Push("octo/repo", "main");
		// tag::accept[]
		EnqueueOptions once = EnqueueOptions.idempotency(Idempotency.key(delivery).scope("github"));

		EnqueueResult first = this.queue.enqueueWithResult("github.push", push, once);
		// ACCEPTED: a new job

		EnqueueResult again = this.queue.enqueueWithResult("github.push", push, once);
		// REPLAYED: the same job id, nothing written
		// end::accept[]
		assertThat(first.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(again).isEqualTo(new EnqueueResult(first.jobId(), EnqueueOutcome.REPLAYED));
	}

	@Test
	void differentRequestIsAConflict() {
		UUID existing = enqueue(new Push("octo/repo", "main"));
		EnqueueIdempotencyConflictException conflict = enqueueOther(new Push("octo/repo", "release"));
		assertThat(conflict.existingJobId()).isEqualTo(existing);
		assertThat(conflict.fields()).containsExactly("payload");
		assertThat(conflict.payloadPointers()).containsExactly("/branch");
		assertThat(conflict.scope()).isEqualTo("github");
	}

	private UUID enqueue(Push push) {
		return this.queue.enqueue("github.push", push,
				EnqueueOptions.idempotency(Idempotency.key("6f1c-second").scope("github")));
	}

	private EnqueueIdempotencyConflictException enqueueOther(Push push) {
		EnqueueOptions once = EnqueueOptions.idempotency(Idempotency.key("6f1c-second").scope("github"));
		// tag::conflict[]
		try {
			this.queue.enqueue("github.push", push, once);
		}
		catch (EnqueueIdempotencyConflictException ex) {
			UUID existing = ex.existingJobId(); // the job that holds the key
			List<String> fields = ex.fields(); // [payload]
			List<String> pointers = ex.payloadPointers(); // [/branch]
			// end::conflict[]
			assertThat(existing).isNotNull();
			assertThat(fields).isNotEmpty();
			assertThat(pointers).isNotEmpty();
			return ex;
			// tag::conflict[]
		}
		// end::conflict[]
		throw new AssertionError("No conflict");
	}

	@Test
	void everyOptionCanBeGiven() {
		Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
		// tag::options[]
		EnqueueOptions options = EnqueueOptions
			.idempotency(Idempotency.key("order-4711").scope("shop/invoices").ttl(Duration.ofDays(30)))
			.queue("billing")
			.priority(50)
			.runAt(tomorrow)
			.tags("invoice", "eu")
			.maxAttempts(5)
			.retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(1)));
		// end::options[]
		EnqueueResult first = this.queue.enqueueWithResult("invoice", "4711", options);
		assertThat(first.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(this.queue.enqueueWithResult("invoice", "4711", options).outcome())
			.isEqualTo(EnqueueOutcome.REPLAYED);
	}

	@Test
	void namingTheDefaultIsTheSameRequest() {
		// tag::defaults[]
		EnqueueOptions omitted = EnqueueOptions.idempotencyKey("report-2026-07");
		EnqueueOptions named = EnqueueOptions.idempotencyKey("report-2026-07").queue("default").priority(0);
		// end::defaults[]
		UUID first = this.queue.enqueue("report", null, omitted);
		assertThat(this.queue.enqueue("report", null, named)).isEqualTo(first);
	}

	@Test
	void omittedRunAtMatchesOmittedOnly() {
		EnqueueOptions.Schedulable omitted = EnqueueOptions.idempotencyKey("report-run-at");
		this.queue.enqueue("report", null, omitted);
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
			.isThrownBy(() -> this.queue.enqueue("report", null, omitted.runAt(Instant.now())))
			.satisfies((ex) -> assertThat(ex.fields()).containsExactly("runAt"));
	}

	@Test
	void changedDefaultIsNoConflictForThoseWhoOmitTheField() {
		EnqueueOptions once = EnqueueOptions.idempotencyKey("report-defaults");
		UUID first = this.queue.enqueue("report", null, once);
		Queue other = Workhorse.builder(database.dataSource()).maxAttempts(3).build().queue();
		assertThat(other.enqueueWithResult("report", null, once))
			.isEqualTo(new EnqueueResult(first, EnqueueOutcome.REPLAYED));
	}

	@Test
	void spellingOfThePayloadDoesNotCount() {
		EnqueueOptions once = EnqueueOptions.idempotencyKey("report-spelling");
		UUID first = this.queue.enqueue("report", new Amount(new BigDecimal("1.0")), once);
		assertThat(this.queue.enqueue("report", new Amount(new BigDecimal("1")), once)).isEqualTo(first);
	}

	@Test
	void boundsAreCheckedFirst() {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> Idempotency.key("k".repeat(513)))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("key"));
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> Idempotency.key("k").ttl(Duration.ofDays(366)))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("ttl"));
	}

	@Test
	void keyIsOnlyShownAsAPreview() {
		this.queue.enqueue("charge", null,
				EnqueueOptions.idempotency(Idempotency.key("tok_live_0123456789abcdef").scope("payments")));
		// tag::live-keys[]
		List<LiveKey> keys = workhorse.jobs().liveKeys(100);
		// end::live-keys[]
		assertThat(keys).filteredOn((key) -> key.scope().equals("payments"))
			.singleElement()
			.satisfies((key) -> assertThat(key.preview()).isEqualTo("tok_…ef"));
	}

	record Push(String repository, String branch) {

	}

	record Amount(BigDecimal amount) {

	}

}
