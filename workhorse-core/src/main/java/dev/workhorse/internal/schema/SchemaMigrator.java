package dev.workhorse.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

import javax.sql.DataSource;

import liquibase.UpdateSummaryEnum;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Brings the schema up to date with Liquibase. Its changelog tables lie in the job
 * store's own schema, apart from those of the application. Any number of nodes may start
 * at once: one migrates, the others wait and find nothing left to do.
 */
public final class SchemaMigrator {

	/** The changelog on the class path. */
	public static final String CHANGELOG = "classpath:dev/workhorse/db/changelog.sql";

	/** Names the advisory lock; the bytes of "workhors". */
	private static final long LOCK = 0x776f726b686f7273L;

	private final DataSource dataSource;

	private final String schema;

	/**
	 * Create a migrator.
	 * @param dataSource the job store
	 * @param schema the schema, a plain identifier
	 */
	public SchemaMigrator(DataSource dataSource, String schema) {
		this.dataSource = dataSource;
		this.schema = schema;
	}

	/**
	 * Create or update the schema.
	 * @throws SchemaException if the schema cannot be brought up to date
	 */
	public void migrate() {
		// A lock of the transaction, not of the session, also holds behind a pooler.
		try (Connection guard = this.dataSource.getConnection()) {
			boolean autoCommit = guard.getAutoCommit();
			guard.setAutoCommit(false);
			try (Statement statement = guard.createStatement()) {
				statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
				createSchema();
				releaseAbandonedLock();
				liquibase().afterPropertiesSet();
			}
			finally {
				guard.rollback();
				guard.setAutoCommit(autoCommit);
			}
		}
		catch (SQLException | LiquibaseException | DataAccessException ex) {
			throw new SchemaException(("Cannot bring schema '%s' up to date: %s; give the database user the right to "
					+ "create it, or apply the documented SQL yourself and set workhorse.schema.mode=validate")
				.formatted(this.schema, NestedExceptionUtils.getMostSpecificCause(ex).getMessage()), ex);
		}
	}

	// "if not exists" asks for the right to create even where nothing has to be created
	private void createSchema() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			if (Boolean.TRUE
				.equals(jdbc.queryForObject("select to_regnamespace(?) is null", Boolean.class, this.schema))) {
				jdbc.execute("create schema if not exists " + this.schema);
			}
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
	}

	// Whoever set Liquibase's own lock died with it: nobody else holds the advisory lock.
	private void releaseAbandonedLock() throws SQLException {
		String table = this.schema + ".databasechangeloglock";
		try (Connection connection = this.dataSource.getConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			if (Boolean.TRUE.equals(jdbc.queryForObject("select to_regclass(?) is not null", Boolean.class, table))) {
				jdbc.update("delete from " + table + " where locked");
			}
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
	}

	private SpringLiquibase liquibase() {
		SpringLiquibase liquibase = new SpringLiquibase();
		liquibase.setDataSource(this.dataSource);
		liquibase.setResourceLoader(new DefaultResourceLoader(getClass().getClassLoader()));
		liquibase.setChangeLog(CHANGELOG);
		liquibase.setLiquibaseSchema(this.schema);
		liquibase.setChangeLogParameters(Map.of("schema", this.schema));
		liquibase.setShowSummary(UpdateSummaryEnum.OFF);
		liquibase.setAnalyticsEnabled(false);
		return liquibase;
	}

}
