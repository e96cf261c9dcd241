package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.CheckpointReadException;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.LeaseLostException;
import dev.workhorse.handler.StepMismatchException;
import dev.workhorse.handler.SuspendExecution;
import dev.workhorse.handler.SwallowedSuspensionException;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for checkpoints, sleeps and progress.
 */
class DurableHandlerIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final EnqueueOptions QUICK = EnqueueOptions.defaults()
		.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)));

	private final Nodes nodes = new Nodes(database);

	@AfterEach
	void stopNodes() {
		this.nodes.close();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private Workhorse start(String type, Nodes.TypedHandler<String> handler) {
		return this.nodes.start((node) -> node.handler(Nodes.handling(type, String.class, handler)));
	}

	@Test
	void checkpointRunsOnceAndAnswersEveryLaterAttempt() {
		AtomicInteger runs = new AtomicInteger();
		List<Object> seen = Collections.synchronizedList(new ArrayList<>());
		start("once", (payload, job) -> {
			List<Map<String, Integer>> generic = job.checkpoint("generic", new ParameterizedTypeReference<>() {
			}, () -> List.of(Map.of("run", runs.incrementAndGet())));
			seen.add(generic.get(0).get("run"));
			seen.add(job.checkpoint("generic", List.class, () -> List.of("second")).size());
			seen.add(String.valueOf(job.checkpoint("null", String.class, () -> (runs.get() == 1) ? null : "not null")));
			seen.add(job.checkpoint("record", Charge.class, () -> new Charge("c-" + runs.get(), 5)).id());
			if (job.attempt() < 3) {
				runs.incrementAndGet();
				throw new IllegalStateException("again");
			}
			return runs.get();
		});
		UUID job = database.queue().enqueue("once", "x", QUICK);
		assertThat(this.nodes.await(job, JobState.SUCCEEDED)).returns(3, JobDetails::attempt)
			.returns("3", JobDetails::result);
		assertThat(seen).containsExactly(1, 1, "null", "c-1", 1, 1, "null", "c-1", 1, 1, "null", "c-1");
	}

	@Test
	void valueThatCannotBeStoredOrReadNamesItsCheckpoint() {
		start("typed", (payload, job) -> {
			if (payload.equals("large")) {
				return job.checkpoint("large", String.class, () -> "x".repeat(1024 * 1024));
			}
			if (payload.equals("tolerant")) {
				job.checkpoint("charge", Map.class, () -> Map.of("id", "c", "cents", 5, "more", true));
				failFirst(job);
				return job.checkpoint("charge", Charge.class, () -> new Charge("other", 1)).id();
			}
			if (job.attempt() == 1) {
				job.checkpoint("charge", String.class, () -> "text");
				throw new IllegalStateException("again");
			}
			return job.checkpoint("charge", Charge.class, () -> new Charge("other", 1));
		});
		EnqueueOptions twice = QUICK.maxAttempts(2);
		assertThat(lastError(database.queue().enqueue("typed", "strict", twice)))
			.returns(CheckpointReadException.class.getName(), JobDetails.AttemptError::type)
			.satisfies((error) -> assertThat(error.message()).contains("checkpoint 'charge'").contains("Charge"));
		assertThat(lastError(database.queue().enqueue("typed", "large", QUICK.maxAttempts(1))))
			.returns(InvalidRequestException.class.getName(), JobDetails.AttemptError::type)
			.satisfies((error) -> assertThat(error.message()).contains("checkpoint 'large'"));
		UUID tolerant = database.queue().enqueue("typed", "tolerant", twice);
		assertThat(this.nodes.await(tolerant, JobState.SUCCEEDED).result()).isEqualTo("\"c\"");
	}

	private static void failFirst(JobContext job) {
		if (job.attempt() == 1) {
			throw new IllegalStateException("again");
		}
	}

	private JobDetails.AttemptError lastError(UUID job) {
		List<JobDetails.AttemptError> errors = this.nodes.await(job, JobState.FAILED).errors();
		return errors.get(errors.size() - 1);
	}

	@Test
	void sleepGivesTheWorkerBackCountsNoAttemptAndIsNotBegunAgainByARetry() {
		List<String> seen = Collections.synchronizedList(new ArrayList<>());
		AtomicInteger runs = new AtomicInteger();
		this.nodes
			.start((node) -> node.workOn("narrow", 1).handler(Nodes.handling("nap", String.class, (payload, job) -> {
				int run = runs.incrementAndGet();
				seen.add("run " + run + " attempt " + job.attempt());
				job.sleep("nap", Duration.ofMillis(700));
				if (run == 2) {
					throw new IllegalStateException("after the sleep");
				}
				job.sleepUntil("over", Instant.EPOCH);
				return "rested";
			})).handler(Nodes.handling("beside", String.class, (payload, job) -> {
				seen.add("beside");
				return null;
			})));
		UUID nap = database.queue().enqueue("nap", "x", QUICK.queue("narrow"));
		JobDetails asleep = this.nodes.await(nap, JobState.WAITING);
		assertThat(asleep.attempt()).isEqualTo(1);
		assertThat(Duration.between((asleep.startedAt() != null) ? asleep.startedAt() : asleep.createdAt(),
				asleep.runAt()))
			.isBetween(Duration.ofMillis(700), Duration.ofSeconds(10));
		this.nodes.await(database.queue().enqueue("beside", "x", QUICK.queue("narrow")), JobState.SUCCEEDED);
		assertThat(this.nodes.await(nap, JobState.SUCCEEDED)).returns(2, JobDetails::attempt)
			.returns("\"rested\"", JobDetails::result)
			.satisfies((done) -> assertThat(done.finishedAt()).isAfter(asleep.runAt()));
		assertThat(seen).containsExactly("run 1 attempt 1", "beside", "run 2 attempt 1", "run 3 attempt 2");
	}

	@Test
	void sleepingJobIsCancelledAtOnceWokenByHandAndKeptFromGoingOnAfterItsDeadline() {
		AtomicInteger ran = new AtomicInteger();
		start("sleepy", (payload, job) -> {
			job.sleep("long", Duration.ofDays(365));
			ran.incrementAndGet();
			return null;
		});
		Jobs jobs = database.builder().build().jobs();
		UUID cancelled = database.queue().enqueue("sleepy", "x");
		this.nodes.await(cancelled, JobState.WAITING);
		assertThat(jobs.cancel(cancelled, "test", "enough")).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(this.nodes.job(cancelled).state()).isEqualTo(JobState.CANCELLED);
		UUID late = database.queue()
			.enqueue("sleepy", "x", EnqueueOptions.defaults().deadline(Instant.now().plusMillis(1500)));
		JobDetails failed = this.nodes.await(late, JobState.FAILED);
		assertThat(failed.errors().get(0).type()).isEqualTo("deadline-passed");
		assertThat(failed.attempt()).isEqualTo(1);
		assertThat(ran).hasValue(0);
		UUID woken = database.queue().enqueue("sleepy", "x");
		this.nodes.await(woken, JobState.WAITING);
		assertThat(jobs.runNow(woken, "test", "now")).isTrue();
		assertThat(this.nodes.await(woken, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		assertThat(jobs.timeline(woken)).extracting("kind")
			.containsExactly("accepted", "sleeping", "run-now", "succeeded");
	}

	@Test
	void swallowedSuspensionFailsTheAttemptAndSaysWhy() {
		start("swallow", (payload, job) -> {
			try {
				job.sleep("nap", Duration.ofHours(1));
			}
			catch (SuspendExecution ex) {
				if (payload.equals("wraps")) {
					throw new IllegalStateException(ex);
				}
				if (payload.equals("goes on")) {
					job.checkpoint("more", String.class, () -> "more");
				}
			}
			return "swallowed";
		});
		for (String how : List.of("returns", "wraps")) {
			UUID job = database.queue().enqueue("swallow", how, QUICK.maxAttempts(1));
			assertThat(lastError(job))
				.returns(SwallowedSuspensionException.class.getName(), JobDetails.AttemptError::type)
				.satisfies((error) -> assertThat(error.message()).contains("'nap'").contains("SuspendExecution"));
		}
		// the next step does not let it get away
		this.nodes.await(database.queue().enqueue("swallow", "goes on", QUICK), JobState.WAITING);
	}

	@Test
	void handlerThatGoesAnotherWayIsToldSo() {
		start("astray", (payload, job) -> {
			boolean first = job.attempt() == 1;
			switch (payload) {
				case "kind" -> {
					if (first) {
						job.checkpoint("step", String.class, () -> "x");
					}
					else {
						job.sleep("step", Duration.ofDays(1));
					}
				}
				case "order" -> {
					job.checkpoint((first) ? "a" : "b", String.class, () -> "x");
					job.checkpoint((first) ? "b" : "a", String.class, () -> "x");
				}
				default -> {
					// steps put in and left out are fine
					job.checkpoint("a", String.class, () -> "x");
					if (!first) {
						job.checkpoint("new 1", String.class, () -> "x");
						job.checkpoint("new 2", String.class, () -> "x");
					}
					if (job.attempt() != 2) {
						job.checkpoint("b", String.class, () -> "x");
					}
					job.checkpoint("c", String.class, () -> "x");
					if (job.attempt() < 4) {
						throw new IllegalStateException("again");
					}
					return "fine";
				}
			}
			throw new IllegalStateException("again");
		});
		for (String how : List.of("kind", "order")) {
			UUID job = database.queue().enqueue("astray", how, QUICK.maxAttempts(2));
			assertThat(lastError(job)).returns(StepMismatchException.class.getName(), JobDetails.AttemptError::type);
		}
		UUID fine = database.queue().enqueue("astray", "fine", QUICK);
		assertThat(this.nodes.await(fine, JobState.SUCCEEDED).attempt()).isEqualTo(4);
	}

	@Test
	void stepsOfAnAttemptThatHasLostItsLeaseAreRefused() throws Exception {
		CountDownLatch stolen = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(3);
		start("zombie", (payload, job) -> {
			if (job.attempt() > 1) {
				stolen.countDown();
				refused.await(20, TimeUnit.SECONDS);
				return job.checkpoint("value", String.class, () -> "new");
			}
			job.progress("old");
			stolen.await();
			for (Runnable step : List.<Runnable>of(() -> job.checkpoint("value", String.class, () -> "old"),
					() -> job.invokeChild("child", "nobody", null))) {
				assertThatExceptionOfType(LeaseLostException.class).isThrownBy(step::run);
				refused.countDown();
			}
			job.progress("older");
			refused.countDown();
			return "old";
		});
		UUID job = database.queue().enqueue("zombie", "x", QUICK);
		this.nodes.await(job, JobState.RUNNING);
		Await.until("progress", () -> this.nodes.job(job).progress() != null);
		database.jdbc()
			.update("update workhorse.job_run set state = 'ready', fence = fence + 1, worker = null, started_at = null,"
					+ " lease_until = null where job_id = ?", job);
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).result()).isEqualTo("\"new\"");
		this.nodes.close();
		assertThat(this.nodes.job(job)).returns("\"new\"", JobDetails::result).returns("\"old\"", JobDetails::progress);
		assertThat(database.count("job where parent_id is not null")).isZero();
	}

	@Test
	void progressIsWrittenNowAndThenAndTheLastValueAlwaysLands() {
		CountDownLatch end = new CountDownLatch(1);
		start("progress", (payload, job) -> {
			for (int i = 1; i <= 10_000; i++) {
				job.progress(Map.of("done", i));
			}
			end.await();
			job.progress("last");
			return null;
		});
		UUID job = database.queue().enqueue("progress", "x");
		Await.until("the value before the pause", () -> "{\"done\": 10000}".equals(this.nodes.job(job).progress()));
		end.countDown();
		assertThat(this.nodes.await(job, JobState.SUCCEEDED).progress()).isEqualTo("\"last\"");
	}

	/**
	 * A value of a checkpoint.
	 */
	record Charge(String id, int cents) {

	}

}
