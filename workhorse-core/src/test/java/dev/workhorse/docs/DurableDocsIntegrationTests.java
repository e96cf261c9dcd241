package dev.workhorse.docs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.RetryPolicy;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.ChildFailedException;
import dev.workhorse.handler.ChildOptions;
import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
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
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;

class DurableDocsIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final List<String> effects = new CopyOnWriteArrayList<>();

	private Workhorse workhorse;

	@AfterEach
	void stop() {
		this.workhorse.stop(Duration.ofSeconds(5));
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	private void start(HandlerDefinition... handlers) {
		var builder = database.builder()
			.pollInterval(Duration.ofMillis(50))
			.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)));
		List.of(handlers).forEach(builder::handler);
		this.workhorse = builder.build();
		this.workhorse.start();
	}

	private JobDetails await(UUID job, JobState state) {
		return Await.value(state.label(), Duration.ofSeconds(30), () -> this.workhorse.jobs().find(job).orElseThrow(),
				(found) -> found.state() == state);
	}

	// tag::order[]
	String fulfil(Order order, JobContext job) {
		String reservation = job.checkpoint("reserve", String.class, () -> reserve(order));
		String charge = job.checkpoint("charge", String.class, () -> charge(order, job.jobId()));
		try {
			job.awaitEvent("payment", EventMatch.of("payment.settled").where("/charge", charge), Map.class,
					Duration.ofMinutes(15));
		}
		catch (WaitTimeoutException ex) {
			job.checkpoint("release", String.class, () -> release(reservation));
			return "released";
		}
		job.sleep("until picked", Duration.ofMillis(100));
		job.checkpoint("ship", String.class, () -> ship(reservation));
		return "shipped";
	}
	// end::order[]

	private String reserve(Order order) {
		this.effects.add("reserve " + order.id());
		return "r-" + order.id();
	}

	private String charge(Order order, UUID idempotencyKey) {
		this.effects.add("charge " + order.id());
		if (this.effects.size() < 4) {
			throw new IllegalStateException("The provider of %s does not answer".formatted(idempotencyKey));
		}
		return "c-" + order.id();
	}

	private String release(String reservation) {
		this.effects.add("release " + reservation);
		return reservation;
	}

	private String ship(String reservation) {
		this.effects.add("ship " + reservation);
		return reservation;
	}

	@Test
	void handlerGoesOnFromItsLastStep() {
		start(HandlerDefinition.of("order", Order.class, (payload, job) -> fulfil((Order) payload, job)));
		UUID job = this.workhorse.queue().enqueue("order", new Order("7"));
		await(job, JobState.WAITING);
		new PostgresEvents(new CallerTransaction(database.dataSource()), "workhorse", EventSettings.DEFAULTS,
				new Jackson2PayloadCodec(), new KeyHasher(null), new WakeUps(), new WorkhorseListener() {
				}, new Interceptors(List.of()))
			.emit("payment.settled", Map.of("charge", "c-7"), EmitOptions.defaults());
		assertThat(await(job, JobState.SUCCEEDED).result()).isEqualTo("\"shipped\"");
		assertThat(this.effects).containsExactly("reserve 7", "charge 7", "charge 7", "charge 7", "ship r-7");
	}

	@Test
	void genericValueAndProgress() {
		start(HandlerDefinition.of("import", String.class, (payload, job) -> {
			// tag::generic[]
			List<String> files = job.checkpoint("list", new ParameterizedTypeReference<>() {
			}, () -> List.of("a.csv", "b.csv"));
			for (String file : files) {
				job.checkpoint("import " + file, Integer.class, () -> importFile(file));
				job.progress(Map.of("file", file, "of", files.size()));
			}
			// end::generic[]
			return files.size();
		}));
		UUID job = this.workhorse.queue().enqueue("import", "x");
		assertThat(await(job, JobState.SUCCEEDED).progress()).isEqualTo("{\"of\": 2, \"file\": \"b.csv\"}");
	}

	private int importFile(String file) {
		this.effects.add(file);
		return 1;
	}

	// tag::children[]
	int report(List<String> regions, JobContext job) {
		List<String> names = new ArrayList<>();
		for (String region : regions) {
			job.invokeChild("sales in " + region, "sales", region, ChildOptions.defaults().cancelWithParent());
			names.add("sales in " + region);
		}
		return job.awaitAll(names, Integer.class).stream().mapToInt(Integer::intValue).sum();
	}
	// end::children[]

	@Test
	@SuppressWarnings("unchecked")
	void parentAddsUpWhatItsChildrenFound() {
		start(HandlerDefinition.of("report", List.class, (payload, job) -> report((List<String>) payload, job)),
				HandlerDefinition.of("sales", String.class, (payload, job) -> payload.toString().length()));
		UUID job = this.workhorse.queue().enqueue("report", List.of("north", "south", "east"));
		assertThat(await(job, JobState.SUCCEEDED).result()).isEqualTo("14");
	}

	@Test
	void childThatFailsOrIsLate() {
		start(HandlerDefinition.of("careful", String.class, (payload, job) -> careful(job)),
				HandlerDefinition.of("rate", String.class, (payload, job) -> {
					throw new IllegalStateException("no rate for " + payload);
				}));
		UUID job = this.workhorse.queue()
			.enqueue("careful", "x", EnqueueOptions.defaults().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10))));
		assertThat(await(job, JobState.SUCCEEDED).result()).isEqualTo("\"without: failed\"");
	}

	private String careful(JobContext job) {
		// tag::failure[]
		job.invokeChild("rate", "rate", "EUR", ChildOptions.defaults().maxAttempts(2).queue("default"));
		try {
			return "at " + job.awaitChild("rate", Double.class, Duration.ofMinutes(1));
		}
		catch (ChildFailedException ex) {
			return "without: " + ex.child().end();
		}
		catch (WaitTimeoutException ex) {
			return "without: it takes too long";
		}
		// end::failure[]
	}

	/**
	 * An order.
	 */
	record Order(String id) {

	}

}
