package dev.workhorse.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import dev.workhorse.testsupport.Race;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Bringing the schema up to date, also at once and after a crash (H9).
 */
class SchemaMigrationIntegrationTests {

	private final TestDatabase database = TestDatabase.create("empty", (dataSource) -> {
	});

	private final JdbcTemplate jdbc = new JdbcTemplate(this.database.dataSource());

	@AfterEach
	void close() {
		this.database.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void migratesFromNothingAndNothingTheSecondTime(boolean autoCommit) {
		HikariDataSource pool = this.database.newDataSource((config) -> config.setAutoCommit(autoCommit));
		prepare(pool, "workhorse");
		assertComplete("workhorse");
		List<Map<String, Object>> before = changes();
		prepare(pool, "workhorse");
		assertThat(changes()).isEqualTo(before).isNotEmpty();
		assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	@Test
	void manyNodesMayStartAtOnce() {
		Race.Outcomes<UUID> outcomes = Race.of(8).run(() -> {
			HikariDataSource pool = this.database.newDataSource((config) -> config.setMaximumPoolSize(4));
			Workhorse node = Workhorse.builder(pool).build();
			node.prepareSchema();
			return node.queue().enqueue("type", 1, EnqueueOptions.idempotencyKey("first"));
		});
		assertThat(outcomes.failures()).isEmpty();
		assertThat(outcomes.values()).hasSize(8).containsOnly(outcomes.values().get(0));
		assertThat(changes()).extracting((change) -> change.get("id")).doesNotHaveDuplicates();
	}

	@Test
	void nodeThatWasKilledWhileMigratingDoesNotBlockTheNext() throws SQLException {
		try (Connection blocker = this.database.newConnection(); Statement statement = blocker.createStatement()) {
			statement.execute("create schema workhorse");
			blocker.setAutoCommit(false);
			// the migration gets as far as this table and has to wait
			statement.execute("create table workhorse.worker (id uuid)");
			try (ChildJvm node = ChildJvm.of(MigratingJvm.class).args(this.database.jdbcUrl()).start()) {
				Await.until("the migration waiting for the table", Duration.ofSeconds(30),
						() -> Boolean.TRUE.equals(this.jdbc.queryForObject("""
								select exists (
								  select from pg_stat_activity
								  where datname = current_database() and wait_event_type = 'Lock'
								    and query like '%workhorse.worker%'
								)
								""", Boolean.class)));
				node.kill9();
			}
			blocker.rollback();
		}
		assertThat(this.jdbc.queryForList("select tablename from pg_tables where schemaname = 'workhorse'"))
			.as("what a half migration leaves")
			.isEmpty();
		prepare(this.database.dataSource(), "workhorse");
		assertComplete("workhorse");
	}

	@Test
	void migrationThatFailsLeavesNothing() {
		this.jdbc.execute("create schema workhorse");
		// in the way of the last change
		this.jdbc.execute("create table workhorse.worker (id uuid)");
		assertThatExceptionOfType(SchemaException.class)
			.isThrownBy(() -> prepare(this.database.dataSource(), "workhorse"))
			.withMessageContaining("already exists");
		assertThat(
				this.jdbc.queryForList("select tablename from pg_tables where schemaname = 'workhorse'", String.class))
			.containsExactly("worker");
	}

	@Test
	void lockLeftBehindByALiquibaseThatWasKilledIsRemoved() {
		prepare(this.database.dataSource(), "workhorse");
		this.jdbc.update("update workhorse.databasechangeloglock set locked = true, lockedby = 'gone'");
		prepare(this.database.dataSource(), "workhorse");
		assertThat(
				this.jdbc.queryForObject("select bool_or(locked) from workhorse.databasechangeloglock", Boolean.class))
			.isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void poolOfOneConnectionIsEnough(boolean autoCommit) {
		HikariDataSource pool = this.database.newDataSource((config) -> {
			config.setAutoCommit(autoCommit);
			config.setMaximumPoolSize(1);
			config.setConnectionTimeout(2_000);
		});
		prepare(pool, "workhorse");
		assertComplete("workhorse");
		prepare(pool, "workhorse");
		Workhorse.builder(pool).build().queue().enqueue("type", 1, EnqueueOptions.idempotencyKey("one"));
	}

	@Test
	void schemasWorkSideBySide() {
		prepare(this.database.dataSource(), "workhorse");
		prepare(this.database.dataSource(), "jobs_2");
		assertComplete("workhorse");
		assertComplete("jobs_2");
		Workhorse one = Workhorse.builder(this.database.dataSource()).build();
		Workhorse other = Workhorse.builder(this.database.dataSource()).schema("jobs_2").build();
		UUID first = one.queue().enqueue("type", 1, EnqueueOptions.idempotencyKey("k"));
		UUID second = other.queue().enqueue("type", 2, EnqueueOptions.idempotencyKey("k"));
		assertThat(second).isNotEqualTo(first);
		assertThat(other.queue().enqueue("type", 2, EnqueueOptions.idempotencyKey("k"))).isEqualTo(second);
		assertThat(this.jdbc.queryForObject("select count(*) from jobs_2.job", Integer.class)).isOne();
		assertThat(this.jdbc.queryForObject("select count(*) from workhorse.job", Integer.class)).isOne();
	}

	@Test
	void changelogOfTheApplicationIsLeftAlone() {
		this.jdbc.execute("create table public.databasechangelog (mine text)");
		this.jdbc.execute("create table public.databasechangeloglock (mine text)");
		this.jdbc.update("insert into public.databasechangelog values ('untouched')");
		prepare(this.database.dataSource(), "workhorse");
		assertThat(this.jdbc.queryForList("select mine from public.databasechangelog", String.class))
			.containsExactly("untouched");
		assertThat(this.jdbc.queryForObject("select count(*) from public.databasechangeloglock", Integer.class))
			.isZero();
		assertThat(this.jdbc.queryForList("select tablename from pg_tables where schemaname = 'public'", String.class))
			.containsExactlyInAnyOrder("databasechangelog", "databasechangeloglock");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Jobs", "a b", "a;drop", "1a", "a\"b", "a.b" })
	void schemaMustBeAPlainIdentifier(String schema) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> Workhorse.builder(this.database.dataSource()).schema(schema))
			.withMessageContaining("lower-case identifier");
	}

	private static void prepare(DataSource dataSource, String schema) {
		Workhorse.builder(dataSource).schema(schema).build().prepareSchema();
	}

	private List<Map<String, Object>> changes() {
		return this.jdbc.queryForList("select id, md5sum, orderexecuted from workhorse.databasechangelog order by id");
	}

	private void assertComplete(String schema) {
		new SchemaValidator(this.database.dataSource(), schema).validateSchema();
		assertThat(this.jdbc.queryForList("select tablename from pg_tables where schemaname = ?", String.class, schema))
			.contains("job", "job_run", "job_outcome", "job_event", "worker");
	}

}
