package dev.workhorse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Invariants}: each rule is seen to fail on a bad sample.
 */
class InvariantsIntegrationTests {

	private final CoreDatabase database = CoreDatabase.create();

	@BeforeEach
	void enqueue() {
		this.database.queue().enqueue("t", 1, EnqueueOptions.idempotencyKey("k"));
	}

	@AfterEach
	void close() {
		this.database.database().close();
	}

	@Test
	void soundDatabasePasses() {
		assertThatCode(this.database::checkInvariants).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					exactly one of      | delete from workhorse.job_run
					exactly one of      | delete from workhorse.job
					no event without    | insert into workhorse.job_event (job_id, at, kind) values (gen_random_uuid(), now(), 'attempt-failed')
					within their bounds | update workhorse.job set priority = 101
					within their bounds | update workhorse.job set max_attempts = 0
					all that its mode   | update workhorse.job set key_mode = 'other'
					all that its mode   | update workhorse.job set key_mode = null
					all that its mode   | update workhorse.job set key_hash = '\\x00'
					all that its mode   | update workhorse.job set key_expires_at = null
					all that its mode   | update workhorse.job set key_fingerprint = null
					a child has a name  | update workhorse.job set parent_id = id
					a child has a name  | update workhorse.job set child_name = 'child', cancel_with_parent = true
					queue and type      | update workhorse.job_run set queue = 'other'
					the fence counts    | update workhorse.job_run set attempt = 1
					is a unique index   | drop index workhorse.job_key_hash_uq
					""")
	void brokenRuleIsNamed(String rule, String damage) {
		this.database.jdbc().execute(damage);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.database::checkInvariants)
			.withMessageContaining(rule);
	}

}
