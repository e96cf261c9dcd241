package dev.workhorse.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.handler.Handler;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.HandlerRetention;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How long jobs stay whose handler says so. They are removed by a node that knows no
 * handler.
 */
class HandlerRetentionIntegrationTests {

	private static final String QUEUE = "kept";

	private static final HandlerRetention SHORT = new HandlerRetention(Duration.ofHours(1), Duration.ofHours(2),
			Duration.ZERO);

	private static final HandlerRetention LONG = new HandlerRetention(Duration.ofDays(30), Duration.ofDays(30), null);

	private final CoreDatabase database = CoreDatabase.create();

	private final Nodes nodes = new Nodes(this.database);

	@BeforeEach
	void realTime() {
		this.database.clock().reset();
	}

	@AfterEach
	void close() {
		this.nodes.close();
		this.database.close();
	}

	@Test
	void jobsStayAsLongAsTheirHandlerSays() {
		this.nodes.start(this::handlers);
		List<UUID> succeeded = ended("succeed", JobState.SUCCEEDED);
		List<UUID> failed = ended("fail", JobState.FAILED);
		this.nodes.close();
		remove(Duration.ofMinutes(59));
		assertThat(present(succeeded)).isEqualTo(List.of(true, true, true));
		remove(Duration.ofMinutes(2));
		assertThat(present(succeeded)).isEqualTo(List.of(false, true, true));
		assertThat(present(failed)).isEqualTo(List.of(true, true, true));
		remove(Duration.ofHours(1));
		assertThat(present(failed)).isEqualTo(List.of(false, true, true));
		remove(Duration.ofDays(14));
		assertThat(present(succeeded)).isEqualTo(List.of(false, true, false));
		assertThat(present(failed)).isEqualTo(List.of(false, true, false));
		remove(Duration.ofDays(16));
		assertThat(present(succeeded)).containsOnly(false);
		assertThat(present(failed)).containsOnly(false);
	}

	@Test
	void zeroRemovesTheJobAtTheNextRound() {
		Workhorse node = this.nodes.start(this::handlers);
		List<UUID> running = List.of(enqueue("short", "wait"), enqueue("plain", "wait"));
		running.forEach((job) -> this.nodes.await(job, JobState.RUNNING));
		List<UUID> waiting = List.of(later(node, "short"), later(node, "plain"));
		waiting.forEach((job) -> node.jobs().cancel(job, "ada", "not wanted"));
		running.forEach((job) -> node.jobs().cancelAndInterrupt(job, "ada", "not wanted"));
		running.forEach((job) -> this.nodes.await(job, JobState.CANCELLED));
		this.nodes.close();
		remove(Duration.ZERO);
		assertThat(present(waiting)).isEqualTo(List.of(false, true));
		assertThat(present(running)).isEqualTo(List.of(false, true));
	}

	@Test
	void conductorRetainsAnExecutionAsLongAsItsHandlerSays() {
		Workhorse node = this.nodes.start(this::handlers);
		InvokeOptions options = InvokeOptions.dedupeKey("customer-1").queue(QUEUE);
		UUID first = node.conductor().invoke("short", "succeed", options);
		this.nodes.await(first, JobState.SUCCEEDED);
		this.nodes.close();
		this.database.clock().advance(Duration.ofMinutes(59));
		assertThat(node.conductor().invoke("short", "succeed", options)).isEqualTo(first);
		this.database.clock().advance(Duration.ofMinutes(2));
		assertThat(node.conductor().invoke("short", "succeed", options)).isNotEqualTo(first);
	}

	@Test
	void whatCannotBeKeptIsRefused() {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> new HandlerRetention(null, Duration.ofMillis(-1), null))
			.withMessageContaining("failedRetention");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> new HandlerRetention(Duration.ofDays(3_651), null, null))
			.withMessageContaining("succeededRetention");
	}

	private WorkhorseBuilder handlers(WorkhorseBuilder builder) {
		Handler handler = HandlerRetentionIntegrationTests::handle;
		return builder.workOn(QUEUE, 4)
			.handler(HandlerDefinition.of("short", String.class, handler).keeping(SHORT))
			.handler(HandlerDefinition.of("long", String.class, handler).keeping(LONG))
			.handler(HandlerDefinition.of("plain", String.class, handler));
	}

	private static Object handle(Object payload, JobContext context) throws InterruptedException {
		switch ((String) payload) {
			case "fail" -> throw new PermanentFailureException("asked to");
			case "wait" -> Thread.currentThread().join();
			default -> {
			}
		}
		return payload;
	}

	/**
	 * A job of each type that has ended.
	 */
	private List<UUID> ended(String payload, JobState state) {
		List<UUID> jobs = new ArrayList<>();
		for (String type : List.of("short", "long", "plain")) {
			jobs.add(enqueue(type, payload));
		}
		jobs.forEach((job) -> this.nodes.await(job, state));
		return jobs;
	}

	private UUID enqueue(String type, String payload) {
		return this.database.queue().enqueue(type, payload, EnqueueOptions.defaults().queue(QUEUE));
	}

	private static UUID later(Workhorse node, String type) {
		return node.queue()
			.enqueue(type, "later", EnqueueOptions.defaults().queue(QUEUE).runAt(Instant.now().plusSeconds(3_600)));
	}

	private void remove(Duration passed) {
		this.database.clock().advance(passed);
		new Maintenance(this.database.dataSource(), "workhorse", RetentionSettings.DEFAULTS).run();
	}

	private List<Boolean> present(List<UUID> jobs) {
		return jobs.stream().map((job) -> this.database.builder().build().jobs().find(job).isPresent()).toList();
	}

}
