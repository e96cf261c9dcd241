package dev.workhorse.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Debounce;
import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueResult;
import dev.workhorse.Idempotency;
import dev.workhorse.KeyMode;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the matrix in {@code docs/reference/outcomes.md} to what is answered.
 */
class OutcomesDocsIntegrationTests {

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| (idempotency|throttle|debounce) \\| (live|over) \\| (.+) \\| (.+) \\| (.+) \\|$");

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private static CoreDatabase database;

	private final Queue queue = database.queue();

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void matrixSaysWhatIsAnswered() {
		Matcher row = ROW.matcher(page());
		int rows = 0;
		while (row.find()) {
			KeyMode holding = mode(row.group(1));
			for (KeyMode asked : KeyMode.values()) {
				String documented = row.group(3 + column(asked)).replace("`", "");
				String key = "matrix-" + rows + "-" + asked.label();
				assertThat(answer(key, holding, row.group(2), asked))
					.as("held as %s (%s), asked as %s", holding, row.group(2), asked)
					.isEqualTo(documented);
			}
			rows++;
		}
		assertThat(rows).isEqualTo(6);
	}

	private static KeyMode mode(String label) {
		return KeyMode.valueOf(label.toUpperCase(Locale.ROOT));
	}

	private static int column(KeyMode asked) {
		return switch (asked) {
			case IDEMPOTENCY -> 0;
			case THROTTLE -> 1;
			case DEBOUNCE -> 2;
		};
	}

	private String answer(String key, KeyMode holding, String age, KeyMode asked) {
		database.clock().reset();
		this.queue.enqueue("type", "payload", options(key, holding));
		if (age.equals("over")) {
			database.clock().advance(WINDOW);
		}
		try {
			EnqueueResult result = this.queue.enqueueWithResult("type", "payload", options(key, asked));
			return result.outcome().name() + ((result.reason() != null) ? " / " + result.reason().name() : "");
		}
		catch (EnqueueIdempotencyConflictException ex) {
			return "conflict: " + String.join(", ", ex.fields());
		}
	}

	private static EnqueueOptions options(String key, KeyMode mode) {
		return switch (mode) {
			case IDEMPOTENCY -> EnqueueOptions.idempotency(Idempotency.key(key).ttl(WINDOW));
			case THROTTLE -> EnqueueOptions.throttle(Throttle.key(key, WINDOW));
			case DEBOUNCE -> EnqueueOptions.debounce(Debounce.reset(key, WINDOW));
		};
	}

	@Test
	void outcomeTellsWhetherTheRequestWasTaken() {
		EnqueueOptions once = EnqueueOptions.idempotencyKey("outcome");
		assertThat(describe("payload", once)).isEqualTo("a new job");
		assertThat(describe("payload", once)).isEqualTo("already asked for");
		assertThat(describe("other", once)).isEqualTo("refused, [payload] differ");
	}

	private String describe(String payload, EnqueueOptions options) {
		// tag::outcomes[]
		try {
			EnqueueResult result = this.queue.enqueueWithResult("type", payload, options);
			return switch (result.outcome()) {
				case ACCEPTED -> "a new job";
				case REPLACED -> "the waiting job, with this payload";
				case REPLAYED, COALESCED -> "already asked for";
				case NON_REPLACEABLE -> "not taken, " + result.reason();
			};
		}
		catch (EnqueueIdempotencyConflictException ex) {
			return "refused, " + ex.fields() + " differ";
		}
		// end::outcomes[]
	}

	private static String page() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = Objects.requireNonNull(directory.getParent(), "No mvnw above the working directory");
		}
		try {
			return Files.readString(directory.resolve("docs/reference/outcomes.md"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
