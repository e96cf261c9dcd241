package dev.workhorse.docs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BatchDocsIntegrationTests {

	private static CoreDatabase database;

	private final Queue queue = database.queue();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void answersComeInTheOrderOfTheRequests() {
		List<String> orders = List.of("4711", "4712", "4711");
		// tag::batch[]
		List<EnqueueRequest> requests = orders.stream()
			.map((order) -> new EnqueueRequest("invoice.send", order,
					EnqueueOptions.idempotency(Idempotency.key(order).scope("invoices"))))
			.toList();

		List<EnqueueResult> results = this.queue.enqueueAll(requests);
		// results.get(i) is the answer to requests.get(i)
		// end::batch[]
		assertThat(results).extracting(EnqueueResult::outcome)
			.containsExactly(EnqueueOutcome.ACCEPTED, EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLAYED);
		assertThat(results.get(2).jobId()).isEqualTo(results.get(0).jobId());
	}

	@Test
	void conflictNamesTheRequestAndLeavesNothing() {
		UUID existing = this.queue.enqueue("import", 1, EnqueueOptions.idempotencyKey("line-2"));
		List<EnqueueRequest> requests = List.of(
				new EnqueueRequest("import", 1, EnqueueOptions.idempotencyKey("line-1")),
				new EnqueueRequest("import", 2, EnqueueOptions.idempotencyKey("line-2")));
		long before = database.count("job");
		String answer = database.transaction().execute((status) -> importAll(requests));
		assertThat(answer).isEqualTo("line 1 differs from job " + existing);
		assertThat(database.count("job")).isEqualTo(before);
	}

	private String importAll(List<EnqueueRequest> requests) {
		// tag::conflict[]
		try {
			this.queue.enqueueAll(requests);
		}
		catch (EnqueueIdempotencyConflictException ex) {
			// nothing of the batch remains; what the transaction did before does
			return "line " + ex.index() + " differs from job " + ex.existingJobId();
		}
		// end::conflict[]
		return "done";
	}

	@Test
	void debouncedKeyIsOneJobWithItsLastRequest() {
		EnqueueOptions debounced = EnqueueOptions.debounce(Debounce.reset("product", Duration.ofMinutes(1)));
		List<EnqueueResult> results = this.queue
			.enqueueAll(List.of(new EnqueueRequest("index", 1, debounced), new EnqueueRequest("index", 2, debounced)));
		assertThat(results).extracting(EnqueueResult::outcome)
			.containsExactly(EnqueueOutcome.ACCEPTED, EnqueueOutcome.REPLACED);
		assertThat(database.jdbc()
			.queryForMap("select payload::text as payload, replacements from workhorse.job where id = ?",
					results.get(0).jobId()))
			.containsEntry("payload", "2")
			.containsEntry("replacements", 0);
	}

	@Test
	void oneKeyInTwoModesIsRefused() {
		List<EnqueueRequest> requests = List.of(new EnqueueRequest("import", 1, EnqueueOptions.idempotencyKey("mixed")),
				new EnqueueRequest("import", 1, EnqueueOptions.throttle(Throttle.key("mixed", Duration.ofHours(1)))));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.queue.enqueueAll(requests))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("requests[1].options"));
	}

}
