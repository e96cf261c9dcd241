package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import dev.workhorse.Invariants;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with a database server that goes away under running handlers and comes back.
 */
class DatabaseOutageIntegrationTests {

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nodesResumeByThemselvesAndNothingRunsTwice(boolean pooled) {
		try (OwnPostgresServer own = PostgresServer.startOwn();
				TestDatabase database = TestDatabase.createOn(own.server(), "outage",
						(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema())) {
			DataSource dataSource = (pooled) ? database.dataSource() : plain(database);
			CountDownLatch during = new CountDownLatch(1);
			CountDownLatch after = new CountDownLatch(1);
			Map<UUID, AtomicInteger> runs = new ConcurrentHashMap<>();
			List<UUID> lost = new CopyOnWriteArrayList<>();
			List<Workhorse> nodes = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				nodes.add(Workhorse.builder(dataSource)
					.lease(Nodes.LEASE)
					.pollInterval(Duration.ofMillis(100))
					.workOn("default", 4)
					.listener(new WorkhorseListener() {

						@Override
						public void onLeaseLost(UUID jobId, String queue, String type) {
							lost.add(jobId);
						}

					})
					.handler(HandlerDefinition.of("outage", String.class, (payload, context) -> {
						runs.computeIfAbsent(context.jobId(), (id) -> new AtomicInteger()).incrementAndGet();
						("during".equals(payload) ? during : after).await();
						return payload;
					}))
					.build());
			}
			nodes.forEach(Workhorse::start);
			Workhorse node = nodes.get(0);
			List<UUID> jobs = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				jobs.add(node.queue().enqueue("outage", (i % 2 == 0) ? "during" : "after"));
			}
			Await.until("all run", Nodes.PATIENCE, () -> runs.size() == jobs.size());
			own.stop();
			during.countDown();
			Nodes.pass(Nodes.LEASE.multipliedBy(2));
			own.start();
			Await.until("both work again", Nodes.PATIENCE,
					() -> nodes.stream().allMatch((each) -> each.workerStatus().working()));
			Nodes.pass(Nodes.LEASE.multipliedBy(2));
			after.countDown();
			for (UUID job : jobs) {
				JobDetails done = Await.value("end of " + job, Nodes.PATIENCE,
						() -> node.jobs().find(job).orElseThrow(), (found) -> found.state().isFinished());
				assertThat(done).returns(JobState.SUCCEEDED, JobDetails::state).returns(1, JobDetails::attempt);
			}
			assertThat(runs.values()).extracting(AtomicInteger::get).containsOnly(1);
			assertThat(lost).isEmpty();
			UUID next = node.queue().enqueue("outage", "after");
			Await.until("next job", Nodes.PATIENCE,
					() -> node.jobs().find(next).orElseThrow().state() == JobState.SUCCEEDED);
			nodes.forEach((each) -> each.stop(Duration.ofSeconds(5)));
			Invariants.check(dataSource);
		}
	}

	private static DataSource plain(TestDatabase database) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(database.jdbcUrl());
		return dataSource;
	}

}
