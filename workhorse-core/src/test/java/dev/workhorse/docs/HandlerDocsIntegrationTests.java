package dev.workhorse.docs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.RetryLaterException;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerDocsIntegrationTests {

	private static final List<String> effects = new CopyOnWriteArrayList<>();

	private static final AtomicInteger imported = new AtomicInteger();

	private static CoreDatabase database;

	private static Workhorse workhorse;

	@BeforeAll
	static void start() {
		database = CoreDatabase.create();
		workhorse = workhorse(database.dataSource());
	}

	@AfterAll
	static void stop() {
		workhorse.stop(Duration.ofSeconds(5));
		database.close();
	}

	private static Workhorse workhorse(DataSource dataSource) {
		// tag::plain[]
		Workhorse workhorse = Workhorse.builder(dataSource)
			.handler(HandlerDefinition.of("greeting", Greeting.class, (payload, job) -> greet((Greeting) payload)))
			.handler(new HandlerDefinition("charge", Charge.class, 3, RetryPolicy.fixed(Duration.ofMillis(50)),
					(payload, job) -> charge((Charge) payload, job)))
			.workOn("default", 10)
			.build();
		workhorse.prepareSchema();
		workhorse.start();
		// end::plain[]
		return workhorse;
	}

	// tag::cancellable[]
	private static int importLines(Import file, JobContext job) {
		for (int line = 0; line < file.lines(); line++) {
			if (job.isCancelled()) {
				throw new CancellationException("After " + line + " lines");
			}
			importLine(line);
		}
		return file.lines();
	}
	// end::cancellable[]

	private static void importLine(int line) {
		imported.set(line);
		LockSupport.parkNanos(1_000_000);
	}

	private static String greet(Greeting greeting) {
		return "Hello, " + greeting.name();
	}

	private static Object charge(Charge charge, JobContext job) {
		if (charge.amount() < 0) {
			throw new PermanentFailureException("A charge cannot be negative");
		}
		if (job.attempt() == 1) {
			throw new RetryLaterException("The provider is busy", Duration.ofMillis(10));
		}
		return payments(job.jobId(), charge);
	}

	private static Object payments(UUID idempotencyKey, Charge charge) {
		effects.add(idempotencyKey + " " + charge.amount());
		return "charged";
	}

	@Test
	void resultIsStored() {
		UUID job = workhorse.queue().enqueue("greeting", new Greeting("Ada"));
		assertThat(finished(job)).satisfies((details) -> {
			assertThat(details.state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(details.result()).isEqualTo("\"Hello, Ada\"");
		});
	}

	@Test
	void retryLaterIsRetried() {
		UUID job = workhorse.queue().enqueue("charge", new Charge(5));
		assertThat(finished(job)).satisfies((details) -> {
			assertThat(details.state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(details.attempt()).isEqualTo(2);
			assertThat(details.errors()).singleElement()
				.satisfies((error) -> assertThat(error.type()).isEqualTo(RetryLaterException.class.getName()));
		});
		assertThat(effects).contains(job + " 5");
	}

	@Test
	void permanentFailureIsADeadLetter() {
		UUID job = workhorse.queue().enqueue("charge", new Charge(-1));
		assertThat(finished(job)).satisfies((details) -> {
			assertThat(details.state()).isEqualTo(JobState.FAILED);
			assertThat(details.attempt()).isOne();
		});
	}

	@Test
	void handlerThatHeedsACancellationEndsItsJob() {
		Workhorse node = Workhorse.builder(database.dataSource())
			.lease(Duration.ofMillis(300))
			.workOn("imports", 1)
			.handler(HandlerDefinition.of("import", Import.class, (payload, job) -> importLines((Import) payload, job)))
			.build();
		node.start();
		UUID job = node.queue()
			.enqueue("import", new Import(Integer.MAX_VALUE), EnqueueOptions.defaults().queue("imports"));
		Await.until("a line is imported", () -> imported.get() > 0);
		node.jobs().cancel(job, "ada", "Wrong file");
		assertThat(finished(job).state()).isEqualTo(JobState.CANCELLED);
		node.stop(Duration.ofSeconds(5));
	}

	@Test
	void whatTheRequestSaysWinsOverTheHandler() {
		UUID job = workhorse.queue().enqueue("charge", new Charge(7), EnqueueOptions.defaults().maxAttempts(1));
		assertThat(finished(job).state()).isEqualTo(JobState.FAILED);
	}

	@Test
	void jobOfAnUnknownTypeIsLeftAlone() {
		UUID unknown = workhorse.queue().enqueue("nobody-handles-this", null);
		finished(workhorse.queue().enqueue("greeting", new Greeting("Grace")));
		assertThat(workhorse.jobs().find(unknown)).hasValueSatisfying((details) -> {
			assertThat(details.state()).isEqualTo(JobState.READY);
			assertThat(details.attempt()).isZero();
		});
	}

	private static JobDetails finished(UUID job) {
		return Await.value("job %s to finish".formatted(job), () -> workhorse.jobs().find(job).orElseThrow(),
				(details) -> details.state().isFinished());
	}

	record Greeting(String name) {

	}

	record Import(int lines) {

	}

	record Charge(int amount) {

	}

}
