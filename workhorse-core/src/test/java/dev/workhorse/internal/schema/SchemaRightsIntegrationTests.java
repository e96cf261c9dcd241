package dev.workhorse.internal.schema;

import java.util.UUID;

import javax.sql.DataSource;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.runtime.SchemaMode;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Checking the schema instead of changing it, and users with few rights.
 */
class SchemaRightsIntegrationTests {

	private final TestDatabase database = TestDatabase.create("empty", (dataSource) -> {
	});

	private final JdbcTemplate jdbc = new JdbcTemplate(this.database.dataSource());

	private final String user = "limited_" + this.database.name();

	private DataSource limited;

	@BeforeEach
	void createUser() {
		this.jdbc.execute("create role " + this.user);
		this.limited = this.database.newDataSource((config) -> config.setConnectionInitSql("set role " + this.user));
	}

	@AfterEach
	void close() {
		this.jdbc.execute("drop owned by " + this.user);
		this.jdbc.execute("drop role " + this.user);
		this.database.close();
	}

	@Test
	void absentSchemaIsToldApartWhenItIsOnlyValidated() {
		assertThatExceptionOfType(SchemaException.class).isThrownBy(() -> prepare(this.limited, SchemaMode.VALIDATE))
			.withMessageContainingAll("'workhorse' is absent", "workhorse.schema.mode=migrate");
	}

	@Test
	void olderSchemaIsRefusedAndANewerOneIsNot() {
		prepare(this.database.dataSource(), SchemaMode.MIGRATE);
		assertThatCode(() -> prepare(this.database.dataSource(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
		version(0);
		assertThatExceptionOfType(SchemaException.class)
			.isThrownBy(() -> prepare(this.database.dataSource(), SchemaMode.VALIDATE))
			.withMessageContainingAll("of version 0", "version " + SchemaValidator.SCHEMA_VERSION + " is needed");
		version(99);
		assertThatCode(() -> prepare(this.database.dataSource(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
	}

	@Test
	void modeNoneTouchesNothing() {
		prepare(this.limited, SchemaMode.NONE);
		assertThat(new SchemaValidator(this.database.dataSource(), "workhorse").version()).isNull();
	}

	@Test
	void userWithoutTheRightToCreateIsToldWhatToDo() {
		assertThatExceptionOfType(SchemaException.class).isThrownBy(() -> prepare(this.limited, SchemaMode.MIGRATE))
			.withMessageContainingAll("'workhorse'", "permission denied", "workhorse.schema.mode=validate");
		assertThat(new SchemaValidator(this.database.dataSource(), "workhorse").version()).isNull();
	}

	@Test
	void userMayMigrateASchemaThatWasCreatedForIt() {
		this.jdbc.execute("create schema workhorse authorization " + this.user);
		prepare(this.limited, SchemaMode.MIGRATE);
		prepare(this.limited, SchemaMode.MIGRATE);
		UUID job = queue(this.limited);
		assertThat(queue(this.limited)).isEqualTo(job);
	}

	@Test
	void userWhoMayOnlyReadAndWriteRowsValidatesAndEnqueues() {
		prepare(this.database.dataSource(), SchemaMode.MIGRATE);
		this.jdbc.execute("grant usage on schema workhorse to " + this.user);
		this.jdbc.execute("grant select, insert, update, delete on all tables in schema workhorse to " + this.user);
		prepare(this.limited, SchemaMode.VALIDATE);
		assertThat(queue(this.limited)).isEqualTo(queue(this.limited));
	}

	private static UUID queue(DataSource dataSource) {
		return Workhorse.builder(dataSource).build().queue().enqueue("type", 1, EnqueueOptions.idempotencyKey("k"));
	}

	private static void prepare(DataSource dataSource, SchemaMode mode) {
		Workhorse.builder(dataSource).schemaMode(mode).build().prepareSchema();
	}

	private void version(int version) {
		this.jdbc.execute("create or replace function workhorse.schema_version() returns integer language sql immutable"
				+ " as 'select " + version + "'");
	}

}
