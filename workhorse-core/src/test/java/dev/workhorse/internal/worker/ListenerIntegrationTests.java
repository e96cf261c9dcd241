package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what listeners are told, and when.
 */
class ListenerIntegrationTests {

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
	void listenersAreToldAfterTheCommit() {
		List<String> told = new CopyOnWriteArrayList<>();
		CountDownLatch enqueued = new CountDownLatch(1);
		Workhorse node = this.nodes.start((builder) -> builder.listener(new WorkhorseListener() {

			@Override
			public void onClaim(String queue, int jobs) {
				told.add("claim " + queue + " " + jobs + " running " + count("job_run where state = 'running'"));
			}

			@Override
			public void onAttemptEnd(AttemptEnded ended) {
				told.add("end " + ended.attempt() + " " + ended.end() + " outcomes " + count("job_outcome"));
			}

		}).handler(HandlerDefinition.of("told", String.class, (payload, context) -> {
			enqueued.await();
			if (context.attempt() == 1) {
				throw new IllegalStateException("again");
			}
			return null;
		})));
		// the next claim is on another thread: give it no chance to overtake the news of
		// the end
		UUID job = node.queue()
			.enqueue("told", "x", EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(500))));
		enqueued.countDown();
		this.nodes.await(job, JobState.SUCCEEDED);
		Await.until("told", () -> told.size() == 4);
		assertThat(told).containsExactly("claim default 1 running 1", "end 1 retried outcomes 0",
				"claim default 1 running 1", "end 2 succeeded outcomes 1");
	}

	private static long count(String from) {
		return database.count(from);
	}

}
