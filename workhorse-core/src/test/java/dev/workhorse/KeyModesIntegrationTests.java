package dev.workhorse;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.workhorse.operations.KeyExplanation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The nine combinations of the mode a key is held in and the mode it is asked for in,
 * live and expired; and that an explanation of the key foretells exactly that.
 */
class KeyModesIntegrationTests {

	private static final Duration WINDOW = Duration.ofSeconds(60);

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static CoreDatabase database;

	private final String key = "mode-key-" + KEYS.incrementAndGet();

	private Queue queue;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void realTime() {
		database.clock().reset();
		this.queue = database.queue();
	}

	@ParameterizedTest(name = "held as {0} ({1}), asked as {2}: {3}")
	@CsvSource(textBlock = """
			IDEMPOTENCY, live,    IDEMPOTENCY, replayed
			IDEMPOTENCY, live,    THROTTLE,    conflict
			IDEMPOTENCY, live,    DEBOUNCE,    non-replaceable/incompatible-key-mode
			THROTTLE,    live,    IDEMPOTENCY, conflict
			THROTTLE,    live,    THROTTLE,    coalesced
			THROTTLE,    live,    DEBOUNCE,    non-replaceable/incompatible-key-mode
			DEBOUNCE,    live,    IDEMPOTENCY, conflict
			DEBOUNCE,    live,    THROTTLE,    conflict
			DEBOUNCE,    live,    DEBOUNCE,    replaced
			IDEMPOTENCY, expired, IDEMPOTENCY, accepted
			IDEMPOTENCY, expired, THROTTLE,    accepted
			IDEMPOTENCY, expired, DEBOUNCE,    accepted
			THROTTLE,    expired, IDEMPOTENCY, accepted
			THROTTLE,    expired, THROTTLE,    accepted
			THROTTLE,    expired, DEBOUNCE,    accepted
			DEBOUNCE,    expired, IDEMPOTENCY, accepted
			DEBOUNCE,    expired, THROTTLE,    accepted
			DEBOUNCE,    expired, DEBOUNCE,    non-replaceable/window-elapsed-pending
			""")
	void holdingModeAndRequestedModeDecide(KeyMode holding, String age, KeyMode requested, String expected) {
		UUID holder = this.queue.enqueue("type", "payload", options(holding));
		if (age.equals("expired")) {
			database.clock().advance(WINDOW);
		}
		KeyExplanation explanation = database.builder().build().jobs().explain("default", this.key);
		assertThat(explanation.forecasts().get(requested).sameRequest()).isEqualTo(expected);
		if (expected.equals("conflict")) {
			assertThatExceptionOfType(EnqueueIdempotencyConflictException.class)
				.isThrownBy(() -> this.queue.enqueueWithResult("type", "payload", options(requested)))
				.satisfies((ex) -> {
					assertThat(ex.fields()).containsExactly("mode");
					assertThat(ex.existingJobId()).isEqualTo(holder);
				});
			return;
		}
		EnqueueResult result = this.queue.enqueueWithResult("type", "payload", options(requested));
		String answer = result.outcome().label() + ((result.reason() != null) ? "/" + result.reason().label() : "");
		assertThat(answer).isEqualTo(expected);
		assertThat(result.jobId().equals(holder)).isEqualTo(!expected.equals("accepted"));
	}

	private EnqueueOptions options(KeyMode mode) {
		return switch (mode) {
			case IDEMPOTENCY -> EnqueueOptions.idempotency(Idempotency.key(this.key).ttl(WINDOW));
			case THROTTLE -> EnqueueOptions.throttle(Throttle.key(this.key, WINDOW));
			case DEBOUNCE -> EnqueueOptions.debounce(Debounce.reset(this.key, WINDOW));
		};
	}

}
