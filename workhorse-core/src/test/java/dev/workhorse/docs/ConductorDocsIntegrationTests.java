package dev.workhorse.docs;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.conductor.InvokeResult;
import dev.workhorse.handler.HandlerDefinition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConductorDocsIntegrationTests {

	private static final Instant START = Instant.parse("2026-06-01T12:00:30Z");

	private static CoreDatabase database;

	private final Conductor conductor = database.builder().build().conductor();

	private final List<Integer> pages = new ArrayList<>();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void stopTheClock() {
		database.clock().reset();
		database.clock().freezeAt(START);
	}

	@Test
	void waitingExecutionRunsWithTheLastPayload() {
		String orderId = "order-17";
		// tag::dedupe[]
		InvokeOptions order = InvokeOptions.dedupeKey(orderId);

		InvokeResult pending = this.conductor.invokeWithResult("order.update", new Update("pending"), order);
		// CREATED: a new execution

		InvokeResult paid = this.conductor.invokeWithResult("order.update", new Update("paid"), order);
		// UPDATED while it waits: the same execution, which will run once, with "paid"
		// SUPERSEDED while it runs: a new execution, what the old one does is refused
		// RETAINED once it has finished: nothing runs
		// end::dedupe[]
		assertThat(pending.outcome()).isEqualTo(InvokeOutcome.CREATED);
		assertThat(paid).isEqualTo(new InvokeResult(pending.jobId(), InvokeOutcome.UPDATED));
		assertThat(database.payload(Objects.requireNonNull(paid.jobId()))).contains("paid");
	}

	@Test
	void longHandlerMayStopWhenItIsSuperseded() {
		// tag::superseded[]
		HandlerDefinition handler = HandlerDefinition.of("report.build", ReportRequest.class, (payload, job) -> {
			for (int page = 0; page < 100; page++) {
				if (job.isSuperseded()) {
					return null; // a newer one is on its way
				}
				this.pages.add(page);
			}
			return "done";
		});
		// end::superseded[]
		assertThat(handler.type()).isEqualTo("report.build");
		assertThat(this.pages).isEmpty();
	}

	@Test
	void batchOfUpdates() {
		List<Update> updates = List.of(new Update("pending"), new Update("paid"));
		// tag::batch[]
		List<InvokeRequest> requests = updates.stream()
			.map((update) -> new InvokeRequest("order.update", update, InvokeOptions.dedupeKey("order-18")))
			.toList();
		List<InvokeResult> results = this.conductor.invokeAll(requests);
		// one execution with the last payload, whose id is at every position
		// end::batch[]
		assertThat(results).extracting(InvokeResult::outcome)
			.containsExactly(InvokeOutcome.CREATED, InvokeOutcome.UPDATED);
		assertThat(results.stream().map(InvokeResult::jobId).distinct()).hasSize(1);
	}

	@Test
	void throttledSyncRunsOnceAMinute() {
		String customer = "customer-1";
		// tag::throttle[]
		InvokeOptions onceAMinute = InvokeOptions.throttle(Duration.ofMinutes(1), customer);

		UUID sync = this.conductor.invoke("customer.sync", customer, onceAMinute);

		UUID dropped = this.conductor.invoke("customer.sync", customer, onceAMinute);
		// null, as long as the first is pending or running and the minute is not over
		// end::throttle[]
		assertThat(sync).isNotNull();
		assertThat(dropped).isNull();
		database.clock().freezeAt(Instant.parse("2026-06-01T12:01:00Z"));
		assertThat(this.conductor.invoke("customer.sync", customer, onceAMinute)).isNotNull().isNotEqualTo(sync);
	}

	@Test
	void debouncedIndexRunsAtTheEndOfTheSlot() {
		// tag::debounce[]
		InvokeOptions batched = InvokeOptions.debounce(Duration.ofMinutes(1), "product-9");

		UUID index = this.conductor.invoke("search.index", new Product("Tea"), batched);

		this.conductor.invoke("search.index", new Product("Green tea"), batched);
		// the same execution; it runs when the minute is over, with "Green tea"
		// end::debounce[]
		assertThat(database.payload(Objects.requireNonNull(index))).contains("Green tea");
		assertThat(database.jdbc()
			.queryForObject("select run_at from workhorse.job_run where job_id = ?", OffsetDateTime.class, index)
			.toInstant()).isEqualTo(Instant.parse("2026-06-01T12:01:00Z"));
	}

	record Update(String status) {

	}

	record ReportRequest(String name) {

	}

	record Product(String name) {

	}

}
