package dev.workhorse.docs;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ThrottleDocsIntegrationTests {

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

	@BeforeEach
	void realTime() {
		database.clock().reset();
	}

	@Test
	void oneRequestIsAcceptedInEachWindow() {
		String customer = "customer-1";
		// tag::accept[]
		EnqueueOptions hourly = EnqueueOptions.throttle(Throttle.key(customer, Duration.ofHours(1)).scope("statement"));

		EnqueueResult first = this.queue.enqueueWithResult("statement.send", customer, hourly);
		// ACCEPTED: a new job, to run at once

		EnqueueResult again = this.queue.enqueueWithResult("statement.send", customer, hourly);
		// COALESCED: the same job id, nothing written
		// end::accept[]
		assertThat(first.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(again).isEqualTo(new EnqueueResult(first.jobId(), EnqueueOutcome.COALESCED));
		database.clock().advance(Duration.ofHours(1));
		EnqueueResult next = this.queue.enqueueWithResult("statement.send", customer, hourly);
		assertThat(next.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(next.jobId()).isNotEqualTo(first.jobId());
	}

	@Test
	void otherContentOrAnotherWindowIsAConflict() {
		UUID holder = request("a", Duration.ofMinutes(1)).jobId();
		assertConflict("b", Duration.ofMinutes(1), "payload", holder);
		assertConflict("a", Duration.ofMinutes(10), "window", holder);
	}

	private void assertConflict(String payload, Duration window, String field, UUID holder) {
		assertThatExceptionOfType(EnqueueIdempotencyConflictException.class).isThrownBy(() -> request(payload, window))
			.satisfies((ex) -> {
				assertThat(ex.fields()).containsExactly(field);
				assertThat(ex.existingJobId()).isEqualTo(holder);
			});
	}

	private EnqueueResult request(String payload, Duration window) {
		return this.queue.enqueueWithResult("statement.send", payload,
				EnqueueOptions.throttle(Throttle.key("customer-2", window)));
	}

}
