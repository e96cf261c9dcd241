package dev.workhorse;

import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys hashed with a secret, and without.
 */
class PepperIntegrationTests {

	private static final EnqueueOptions OPTIONS = EnqueueOptions.idempotencyKey("order-7");

	private static CoreDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void keysAreRecognisedUnderOnePepperOnly() {
		UUID plain = database.queue().enqueue("type", 1, OPTIONS);
		Queue peppered = database.builder().pepper("one").build().queue();
		UUID first = peppered.enqueue("type", 1, OPTIONS);
		assertThat(first).isNotEqualTo(plain);
		assertThat(database.builder().pepper("one").build().queue().enqueue("type", 1, OPTIONS)).isEqualTo(first);
		assertThat(database.builder().pepper("two").build().queue().enqueue("type", 1, OPTIONS)).isNotIn(plain, first);
		assertThat(database.queue().enqueue("type", 1, OPTIONS)).isEqualTo(plain);
	}

}
