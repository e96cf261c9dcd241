package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a worker whose handlers are faster than the database stores their ends. What
 * is not stored runs again if the node dies, so it must not pile up.
 */
class UnstoredEndsIntegrationTests {

	private static final int JOBS = 10_000;

	/** What may wait, what may be claimed ahead, and the handlers. */
	private static final int MOST = 2_000 + 500 + 4;

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void holdBackClaimsUntilTheyAreStored() {
		for (int first = 0; first < JOBS; first += 1_000) {
			List<EnqueueRequest> requests = IntStream.range(first, first + 1_000)
				.mapToObj((number) -> new EnqueueRequest("fast", number))
				.toList();
			database.queue().enqueueAll(requests);
		}
		AtomicInteger ran = new AtomicInteger();
		database.transaction().executeWithoutResult((status) -> {
			database.jdbc().execute("lock table workhorse.job_outcome in access exclusive mode");
			this.nodes.start((node) -> node.lease(Duration.ofSeconds(30))
				.workOn("default", 4)
				.handler(Nodes.handling("fast", Integer.class, (number, job) -> ran.incrementAndGet())));
			Await.until("many unstored ends", () -> ran.get() >= 2_000);
			Nodes.pass(Duration.ofSeconds(1));
			assertThat(ran).hasValueLessThanOrEqualTo(MOST);
		});
		Await.until("all stored", Nodes.PATIENCE, () -> database.jdbc()
			.queryForObject("select count(*) from workhorse.job_outcome", Integer.class) == JOBS);
		assertThat(ran).hasValue(JOBS);
	}

}
