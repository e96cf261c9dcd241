package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.WaitTimeoutException;
import dev.workhorse.internal.event.EventSettings;
import dev.workhorse.internal.event.PostgresEvents;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.observation.Interceptors;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for handlers that wait for events.
 */
class AwaitEventIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final EnqueueOptions QUICK = EnqueueOptions.defaults()
		.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)));

	private final PostgresEvents events = new PostgresEvents(new CallerTransaction(database.dataSource()), "workhorse",
			EventSettings.DEFAULTS, new Jackson2PayloadCodec(), new KeyHasher(null), new WakeUps(),
			new WorkhorseListener() {
			}, new Interceptors(List.of()));

	private final Nodes nodes = new Nodes(database);

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private UUID emit(String order, int cents) {
		return this.events.emit("paid", Map.of("order", order, "cents", cents), EmitOptions.defaults());
	}

	@Test
	void eventThatMatchesEndsTheWaitAndAnotherDoesNot() {
		this.nodes.start((node) -> node.handler(Nodes.handling("wait", String.class,
				(order, job) -> job
					.awaitEvent("payment", EventMatch.of("paid").where("/order", order).where("/cents", 5), Map.class)
					.toString())));
		UUID first = database.queue().enqueue("wait", "a");
		UUID second = database.queue().enqueue("wait", "b");
		this.nodes.await(first, JobState.WAITING);
		this.nodes.await(second, JobState.WAITING);
		emit("a", 4);
		emit("b", 5);
		assertThat(this.nodes.await(second, JobState.SUCCEEDED)).returns(1, JobDetails::attempt)
			.satisfies((done) -> assertThat(done.result()).contains("order=b"));
		assertThat(this.nodes.job(first).state()).isEqualTo(JobState.WAITING);
		emit("a", 5);
		this.nodes.await(first, JobState.SUCCEEDED);
	}

	@Test
	void eventThatCameBeforeTheWaitCountsOnceForEachJob() {
		this.nodes.start((node) -> node.handler(Nodes.handling("early", String.class, (order, job) -> {
			job.checkpoint("emit", String.class, () -> {
				emit(order, 1);
				emit(order, 2);
				return "emitted";
			});
			List<Object> cents = new ArrayList<>();
			for (String name : List.of("one", "two")) {
				cents.add(job.awaitEvent(name, EventMatch.of("paid").where("/order", order), Map.class).get("cents"));
			}
			try {
				job.awaitEvent("three", EventMatch.of("paid").where("/order", order), Map.class,
						Duration.ofMillis(100));
			}
			catch (WaitTimeoutException ex) {
				cents.add(ex.step());
			}
			return cents.toString();
		})));
		emit("early", 0);
		UUID job = database.queue().enqueue("early", "early");
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("\"[1, 2, three]\"");
	}

	@Test
	void waitEndsByAnEventOrByTheTimeAndEveryLaterAttemptGetsTheSame() {
		Map<String, String> firstEnd = new ConcurrentHashMap<>();
		this.nodes
			.start((node) -> node.workOn("default", 8).handler(Nodes.handling("race", String.class, (order, job) -> {
				String end;
				try {
					end = job
						.awaitEvent("payment", EventMatch.of("paid").where("/order", order), Map.class,
								Duration.ofMillis(300))
						.toString();
				}
				catch (WaitTimeoutException ex) {
					end = "timed out";
				}
				if (firstEnd.putIfAbsent(order, end) == null) {
					throw new IllegalStateException("again");
				}
				return end.equals(firstEnd.get(order)) ? "same" : end;
			})));
		List<UUID> jobs = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			jobs.add(database.queue().enqueue("race", "race-" + i, QUICK));
			if (i % 3 == 0) {
				emit("race-" + i, i);
			}
			else if (i > 15 && i % 3 == 1) {
				// just about when its time is over
				emit("race-" + (i - 15), i);
			}
			Nodes.pass(Duration.ofMillis(20));
		}
		Await.until("all", Nodes.PATIENCE, () -> database.count("job_run where type = 'race'") == 0);
		jobs.forEach((job) -> assertThat(this.nodes.job(job).result()).isEqualTo("\"same\""));
		assertThat(firstEnd.values()).contains("timed out").anyMatch((end) -> end.contains("cents"));
		assertThat(database.count(
				"job_wait where name = 'payment' and (ended_at is null) " + "or (event_id is null) <> (value is null)"))
			.isZero();
	}

}
