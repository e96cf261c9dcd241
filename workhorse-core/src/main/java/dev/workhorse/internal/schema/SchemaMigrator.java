package dev.workhorse.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;
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
	 * Create or update the schema, all of it or nothing.
	 * @throws SchemaException if the schema cannot be brought up to date
	 */
	public void migrate() {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			connection.setAutoCommit(false);
			try {
				migrate(connection);
				connection.commit();
			}
			finally {
				connection.rollback();
				connection.setAutoCommit(autoCommit);
			}
		}
		catch (SQLException | LiquibaseException | DataAccessException ex) {
			throw new SchemaException(("Cannot bring schema '%s' up to date: %s; give the database user the right to "
					+ "create it, or apply the documented SQL yourself and set workhorse.schema.mode=validate")
				.formatted(this.schema, NestedExceptionUtils.getMostSpecificCause(ex).getMessage()), ex);
		}
	}

	// One connection, so that a pool of one is enough, and one transaction, since its
	// lock, unlike a lock of the session, also holds behind a pooler.
	private void migrate(Connection connection) throws SQLException, LiquibaseException {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		jdbc.execute("select pg_advisory_xact_lock(" + LOCK + ")");
		createSchema(jdbc);
		releaseAbandonedLock(jdbc);
		Connection inner = InnerTransactions.on(connection);
		liquibase(new SingleConnectionDataSource(inner, true)).afterPropertiesSet();
	}

	// "if not exists" asks for the right to create even where nothing has to be created
	private void createSchema(JdbcTemplate jdbc) {
		if (Boolean.TRUE.equals(jdbc.queryForObject("select to_regnamespace(?) is null", Boolean.class, this.schema))) {
			jdbc.execute("create schema if not exists " + this.schema);
		}
	}

	// Whoever set Liquibase's own lock died with it: nobody else holds the advisory lock.
	private void releaseAbandonedLock(JdbcTemplate jdbc) {
		String table = this.schema + ".databasechangeloglock";
		if (Boolean.TRUE.equals(jdbc.queryForObject("select to_regclass(?) is not null", Boolean.class, table))) {
			jdbc.update("delete from " + table + " where locked");
		}
	}

	private SpringLiquibase liquibase(DataSource dataSource) {
		SpringLiquibase liquibase = new SpringLiquibase();
		liquibase.setDataSource(dataSource);
		liquibase.setResourceLoader(new DefaultResourceLoader(getClass().getClassLoader()));
		liquibase.setChangeLog(CHANGELOG);
		liquibase.setLiquibaseSchema(this.schema);
		liquibase.setChangeLogParameters(Map.of("schema", this.schema));
		liquibase.setShowSummary(UpdateSummaryEnum.OFF);
		liquibase.setAnalyticsEnabled(false);
		return liquibase;
	}

}
