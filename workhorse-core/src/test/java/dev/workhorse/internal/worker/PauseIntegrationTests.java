package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.PausedQueue;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Paused queues, and jobs that no node would take.
 */
class PauseIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(database);

	private final Jobs jobs = database.builder().build().jobs();

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void pausedQueueAcceptsButRunsNothingUntilItIsResumed() {
		assertThat(this.jobs.pause("paused", "ada", "provider is down")).isTrue();
		assertThat(this.jobs.pause("paused", "bob", "me too")).isFalse();
		assertThat(this.jobs.pausedQueues()).singleElement()
			.extracting(PausedQueue::queue, PausedQueue::by, PausedQueue::reason)
			.containsExactly("paused", "ada", "provider is down");
		this.nodes.start((node) -> node.workOn("paused", 2)
			.workOn("open", 2)
			.handler(HandlerDefinition.of("any", Integer.class, (payload, context) -> payload)));
		UUID waiting = database.queue().enqueue("any", 1, EnqueueOptions.defaults().queue("paused"));
		UUID other = database.queue().enqueue("any", 2, EnqueueOptions.defaults().queue("open"));
		this.nodes.await(other, JobState.SUCCEEDED);
		Nodes.pass(Duration.ofMillis(300));
		assertThat(this.nodes.job(waiting).state()).isEqualTo(JobState.READY);
		assertThat(this.jobs.resume("paused")).isTrue();
		assertThat(this.jobs.resume("paused")).isFalse();
		this.nodes.await(waiting, JobState.SUCCEEDED);
	}

	@Test
	void jobsWithoutAHandlerAreShownUntilANodeHasOne() {
		// E12 (kagkarlsson/db-scheduler#61): left alone, and visible
		UUID job = database.queue().enqueue("future-type", 1);
		this.nodes.start((node) -> node.handler(HandlerDefinition.of("known", Integer.class, (payload, context) -> 1)));
		Await.until("shown as unhandled", Nodes.PATIENCE,
				() -> this.jobs.unhandledTypes().contains(new UnhandledType("default", "future-type", 1)));
		this.nodes
			.start((node) -> node.handler(HandlerDefinition.of("future-type", Integer.class, (payload, context) -> 1)));
		this.nodes.await(job, JobState.SUCCEEDED);
		assertThat(this.jobs.unhandledTypes()).isEmpty();
	}

}
