package dev.workhorse.internal.worker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for transactions of the application that hold rows of running jobs for long.
 */
class LockedRowsIntegrationTests {

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
	void lockedRowsDelayNobodyAndKeepTheirLease() throws SQLException {
		CountDownLatch during = new CountDownLatch(1);
		CountDownLatch after = new CountDownLatch(1);
		AtomicInteger returned = new AtomicInteger();
		Workhorse node = null;
		for (int i = 0; i < 2; i++) {
			node = this.nodes.start((builder) -> builder.workOn("locked", 4)
				.handler(HandlerDefinition.of("locked", String.class, (payload, context) -> {
					String kind = String.valueOf(payload);
					if (!kind.equals("short")) {
						(kind.equals("during") ? during : after).await();
					}
					returned.incrementAndGet();
					return payload;
				})));
		}
		Queue queue = Objects.requireNonNull(node).queue();
		EnqueueOptions options = EnqueueOptions.defaults().queue("locked");
		UUID endsDuring = queue.enqueue("locked", "during", options);
		UUID endsAfter = queue.enqueue("locked", "after", options);
		UUID neighbour = queue.enqueue("locked", "after", options);
		for (UUID job : List.of(endsDuring, endsAfter, neighbour)) {
			this.nodes.await(job, JobState.RUNNING);
		}
		UUID ready = queue.enqueue("other", "x", options);
		UUID scheduled = queue.enqueue("locked", "short",
				EnqueueOptions.defaults().queue("locked").runAt(Instant.now().plusSeconds(1)));
		try (Connection connection = database.database().newConnection()) {
			connection.setAutoCommit(false);
			for (UUID job : List.of(endsDuring, endsAfter, ready, scheduled)) {
				lock(connection, job);
			}
			during.countDown();
			long start = System.nanoTime();
			for (int i = 0; i < 200; i++) {
				queue.enqueue("locked", "short", options);
			}
			UUID delayed = queue.enqueue("locked", "short",
					EnqueueOptions.defaults().queue("locked").runAt(Instant.now().plusMillis(500)));
			Await.until("neighbours are done", Nodes.PATIENCE, () -> returned.get() == 202);
			this.nodes.await(delayed, JobState.SUCCEEDED);
			Await.until("the ends of neighbours are stored", Nodes.PATIENCE,
					() -> database.count("job_outcome") == 201);
			Nodes.pass(Nodes.LEASE.multipliedBy(2).minusNanos(System.nanoTime() - start));
			assertThat(this.nodes.job(endsDuring)).returns(JobState.RUNNING, JobDetails::state);
			assertThat(leaseIsOver(endsAfter)).as("the lease of the locked row is over").isTrue();
			assertThat(leaseIsOver(neighbour)).as("the lease of its neighbour is over").isFalse();
			connection.rollback();
		}
		for (UUID job : List.of(endsDuring, scheduled)) {
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt);
		}
		Await.until("renewed", Nodes.PATIENCE, () -> !leaseIsOver(endsAfter));
		after.countDown();
		for (UUID job : List.of(endsAfter, neighbour)) {
			assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(1, JobDetails::attempt)
				.returns(List.of(), JobDetails::errors);
		}
		assertThat(returned).hasValue(205);
	}

	private static void lock(Connection connection, UUID job) throws SQLException {
		try (PreparedStatement statement = connection
			.prepareStatement("select from workhorse.job_run where job_id = ? for update")) {
			statement.setObject(1, job);
			statement.execute();
		}
	}

	private static boolean leaseIsOver(UUID job) {
		return Boolean.TRUE.equals(database.jdbc()
			.queryForObject("select lease_until < workhorse.clock() from workhorse.job_run where job_id = ?",
					Boolean.class, job));
	}

}
