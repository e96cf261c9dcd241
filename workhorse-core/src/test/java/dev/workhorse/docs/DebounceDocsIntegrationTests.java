package dev.workhorse.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.EnqueueResult;
import dev.workhorse.NonReplaceableReason;
import dev.workhorse.Queue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DebounceDocsIntegrationTests {

	private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");

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
	void stopTheClock() {
		database.clock().reset();
		database.clock().freezeAt(START);
	}

	@Test
	void laterRequestTakesThePlaceOfTheWaitingOne() {
		String id = "product-1";
		// tag::reset[]
		EnqueueOptions debounced = EnqueueOptions
			.debounce(Debounce.reset(id, Duration.ofSeconds(5)).scope("search-index"));

		EnqueueResult first = this.queue.enqueueWithResult("search.index", new Product(id, "Tea"), debounced);
		// ACCEPTED: a new job, due in 5 seconds

		EnqueueResult second = this.queue.enqueueWithResult("search.index", new Product(id, "Green tea"), debounced);
		// REPLACED: the same job, now with "Green tea", due 5 seconds from now
		// end::reset[]
		assertThat(first.outcome()).isEqualTo(EnqueueOutcome.ACCEPTED);
		assertThat(second).isEqualTo(new EnqueueResult(first.jobId(), EnqueueOutcome.REPLACED));
		assertThat(database.payload(first.jobId())).contains("Green tea");
	}

	@Test
	void requestsThatKeepComingPutTheRunOffForEver() {
		Debounce starving = Debounce.reset("product-2", Duration.ofSeconds(5));
		UUID job = request(starving).jobId();
		for (int i = 1; i <= 100; i++) {
			database.clock().advance(Duration.ofSeconds(4));
			assertThat(request(starving).outcome()).isEqualTo(EnqueueOutcome.REPLACED);
		}
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(405));
	}

	@Test
	void maxDelayBoundsThat() {
		String id = "product-3";
		// tag::max-delay[]
		Debounce bounded = Debounce.reset(id, Duration.ofSeconds(5))
			.scope("search-index")
			.maxDelay(Duration.ofMinutes(1));
		// end::max-delay[]
		UUID job = request(bounded).jobId();
		for (int i = 1; i <= 14; i++) {
			database.clock().advance(Duration.ofSeconds(4));
			assertThat(request(bounded).outcome()).isEqualTo(EnqueueOutcome.REPLACED);
		}
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(60));
	}

	@Test
	void maxDelayIsThatOfTheLatestRequest() {
		UUID job = request(Debounce.reset("product-4", Duration.ofSeconds(5)).maxDelay(Duration.ofSeconds(6))).jobId();
		database.clock().advance(Duration.ofSeconds(4));
		request(Debounce.reset("product-4", Duration.ofSeconds(5)));
		assertThat(database.runAt(job)).isEqualTo(START.plusSeconds(9));
	}

	@Test
	void preserveKeepsTheTimeOfTheFirstRequest() {
		String account = "account-1";
		// tag::preserve[]
		Debounce digest = Debounce.preserve(account, Duration.ofMinutes(15)).scope("digest");
		// end::preserve[]
		UUID job = request(digest).jobId();
		database.clock().advance(Duration.ofMinutes(14));
		assertThat(request(digest).outcome()).isEqualTo(EnqueueOutcome.REPLACED);
		assertThat(database.runAt(job)).isEqualTo(START.plus(Duration.ofMinutes(15)));
	}

	@Test
	void lateRequestGetsAJobOfItsOwn() {
		Product product = new Product("product-5", "Tea");
		EnqueueOptions debounced = EnqueueOptions.debounce(Debounce.reset(product.id(), Duration.ofSeconds(5)));
		UUID waiting = this.queue.enqueue("search.index", product, debounced);
		database.clock().advance(Duration.ofSeconds(5));
		// tag::non-replaceable[]
		EnqueueResult result = this.queue.enqueueWithResult("search.index", product, debounced);
		if (result.outcome() == EnqueueOutcome.NON_REPLACEABLE) {
			// too late for the waiting job, which may start before this change is visible
			this.queue.enqueue("search.index", product);
		}
		// end::non-replaceable[]
		assertThat(result).isEqualTo(new EnqueueResult(waiting, EnqueueOutcome.NON_REPLACEABLE,
				NonReplaceableReason.WINDOW_ELAPSED_PENDING));
		assertThat(database.jdbc()
			.queryForObject("select count(*) from workhorse.job where payload ->> 'id' = 'product-5'", Integer.class))
			.isEqualTo(2);
	}

	private EnqueueResult request(Debounce debounce) {
		return this.queue.enqueueWithResult("search.index", null, EnqueueOptions.debounce(debounce));
	}

	record Product(String id, String name) {

	}

}
