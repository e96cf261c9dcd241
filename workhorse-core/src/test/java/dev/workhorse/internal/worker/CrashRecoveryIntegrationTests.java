package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with a worker in another JVM that is killed or paused.
 */
class CrashRecoveryIntegrationTests {

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

	private static final Duration LEASE = Duration.ofSeconds(2);

	@Test
	void killedNodesJobRunsElsewhereAfterTheLease() {
		try (ChildJvm child = start("killed", "60000")) {
			child.awaitLine("working", Nodes.PATIENCE);
			UUID job = database.queue().enqueue("killed", "x", EnqueueOptions.defaults().queue("killed"));
			child.awaitLine("begun 1", Nodes.PATIENCE);
			survivor("killed");
			child.kill9();
			long killed = System.nanoTime();
			JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
			// the lease and one look for expired ones, on a busy machine
			assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(LEASE.plusSeconds(5));
			assertThat(done).returns(2, JobDetails::attempt).returns("\"survivor\"", JobDetails::result);
			assertThat(done.errors()).singleElement()
				.returns("lease-expired", JobDetails.AttemptError::kind)
				.returns(1, JobDetails.AttemptError::attempt);
		}
	}

	@Test
	void pausedNodesResultIsRefusedAndItWorksOn() {
		// G2 (jobrunr/jobrunr#811, #1118, #1283, #763)
		try (ChildJvm child = start("paused", "1000")) {
			child.awaitLine("working", Nodes.PATIENCE);
			UUID job = database.queue().enqueue("paused", "x", EnqueueOptions.defaults().queue("paused"));
			child.awaitLine("begun 1", Nodes.PATIENCE);
			child.pause();
			Workhorse survivor = survivor("paused");
			JobDetails done = this.nodes.await(job, JobState.SUCCEEDED);
			survivor.stop(Duration.ofSeconds(5));
			child.resume();
			child.awaitLine("Lease lost", Nodes.PATIENCE);
			UUID next = database.queue().enqueue("paused", "x", EnqueueOptions.defaults().queue("paused"));
			assertThat(this.nodes.await(next, JobState.SUCCEEDED)).returns("\"child\"", JobDetails::result);
			assertThat(this.nodes.job(job)).isEqualTo(done)
				.returns("\"survivor\"", JobDetails::result)
				.returns(2, JobDetails::attempt);
			assertThat(child.lines()).filteredOn((line) -> line.contains("Lease lost")).hasSize(1);
		}
	}

	private Workhorse survivor(String queue) {
		return this.nodes.start((node) -> node.workOn(queue, 2)
			.lease(LEASE)
			.handler(HandlerDefinition.of(queue, String.class, (payload, context) -> "survivor")));
	}

	private static ChildJvm start(String queue, String millis) {
		return ChildJvm.of(ChildWorker.class)
			.args(database.database().jdbcUrl(), queue, millis, Long.toString(LEASE.toMillis()))
			.start();
	}

}
