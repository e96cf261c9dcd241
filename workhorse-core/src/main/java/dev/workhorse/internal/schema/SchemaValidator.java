package dev.workhorse.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Checks that the database is a PostgreSQL of a supported version, and that its schema is
 * the one this version works with.
 */
public final class SchemaValidator {

	/** The oldest supported major version of PostgreSQL. */
	public static final int OLDEST_POSTGRESQL = 15;

	/** The version of the schema this code works with. */
	public static final int SCHEMA_VERSION = 1;

	private final DataSource dataSource;

	private final String schema;

	/**
	 * Create a validator.
	 * @param dataSource the job store
	 * @param schema the schema, a plain identifier
	 */
	public SchemaValidator(DataSource dataSource, String schema) {
		this.dataSource = dataSource;
		this.schema = schema;
	}

	/**
	 * Check the database server.
	 * @throws SchemaException if it is not a supported PostgreSQL
	 */
	public void validateServer() {
		try (Connection connection = this.dataSource.getConnection()) {
			String product = connection.getMetaData().getDatabaseProductName();
			int version = connection.getMetaData().getDatabaseMajorVersion();
			if (!"PostgreSQL".equals(product) || version < OLDEST_POSTGRESQL) {
				throw new SchemaException(
						("Jobs are kept in PostgreSQL %d or later, but the DataSource leads to %s %d; "
								+ "point spring.datasource.url at a PostgreSQL database")
							.formatted(OLDEST_POSTGRESQL, product, version),
						null);
			}
		}
		catch (SQLException ex) {
			throw new SchemaException(("Cannot connect to the database that keeps the jobs: %s; check that "
					+ "PostgreSQL is running and that spring.datasource.url, username and password are right")
				.formatted(ex.getMessage()), ex);
		}
	}

	/**
	 * Check the schema.
	 * @throws SchemaException if it is absent or older than this version of Workhorse
	 */
	public void validateSchema() {
		Integer found = version();
		if (found == null || found < SCHEMA_VERSION) {
			throw new SchemaException(
					("Schema '%s' is %s, but version %d is needed; set workhorse.schema.mode=migrate, "
							+ "or apply the documented SQL of this version yourself")
						.formatted(this.schema, (found != null) ? "of version " + found : "absent", SCHEMA_VERSION),
					null);
		}
	}

	/**
	 * Read the version of the schema.
	 * @return the version, or {@code null} if there is no such schema
	 */
	public @Nullable Integer version() {
		try (Connection connection = this.dataSource.getConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			String function = this.schema + ".schema_version()";
			Boolean exists = jdbc.queryForObject("select to_regprocedure(?) is not null", Boolean.class, function);
			return (Boolean.TRUE.equals(exists)) ? jdbc.queryForObject("select " + function, Integer.class) : null;
		}
		catch (SQLException | DataAccessException ex) {
			throw new SchemaException("Cannot read the version of schema '%s': %s; check the connection"
				.formatted(this.schema, ex.getMessage()), ex);
		}
	}

}
