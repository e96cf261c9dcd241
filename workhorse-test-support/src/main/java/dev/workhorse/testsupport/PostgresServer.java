package dev.workhorse.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The PostgreSQL server that the tests of this JVM share: the one that
 * {@code WORKHORSE_TEST_JDBC_URL} names, else a container where Docker answers and
 * {@code WORKHORSE_TEST_DOCKER} is not {@code false}, else embedded binaries. Started on
 * first use; ends with the JVM.
 */
public final class PostgresServer {

	private static final String URL_VARIABLE = "WORKHORSE_TEST_JDBC_URL";

	private static final String DOCKER_VARIABLE = "WORKHORSE_TEST_DOCKER";

	private static final String CONTAINER_IMAGE = "postgres:17-alpine";

	private final String description;

	private final JdbcAddress address;

	private final boolean outlivesJvm;

	PostgresServer(String description, JdbcAddress address, boolean outlivesJvm) {
		this.description = description;
		this.address = address;
		this.outlivesJvm = outlivesJvm;
	}

	/**
	 * Returns the server of this JVM and starts it if this is the first call. The choice
	 * is printed once.
	 * @return the shared server
	 */
	public static PostgresServer shared() {
		return Shared.SERVER;
	}

	/**
	 * Starts a separate server for a test that stops and restarts it.
	 * @return the running server, to be closed by the test
	 */
	public static OwnPostgresServer startOwn() {
		return startOwn(Map.of());
	}

	/**
	 * Starts a separate server with settings of its own.
	 * @param config server settings, as in {@code postgresql.conf}
	 * @return the running server, to be closed by the test
	 */
	public static OwnPostgresServer startOwn(Map<String, String> config) {
		return new OwnPostgresServer(config);
	}

	private static PostgresServer find() {
		PostgresServer server = choose();
		System.out.println("Tests run against " + server);
		return server;
	}

	private static PostgresServer choose() {
		String url = System.getenv(URL_VARIABLE);
		if (url != null && !url.isBlank()) {
			return new PostgresServer("PostgreSQL of " + URL_VARIABLE, JdbcAddress.parse(url, environmentLogin()),
					true);
		}
		if (dockerAnswers()) {
			return new PostgresServer("container " + CONTAINER_IMAGE, startContainer(), false);
		}
		return new PostgresServer("embedded PostgreSQL", new EmbeddedServer(Map.of()).address(), false);
	}

	private static Map<String, String> environmentLogin() {
		Map<String, String> login = new LinkedHashMap<>();
		login.put("user", System.getenv().getOrDefault("WORKHORSE_TEST_JDBC_USER", "postgres"));
		login.put("password", System.getenv().getOrDefault("WORKHORSE_TEST_JDBC_PASSWORD", ""));
		return login;
	}

	private static boolean dockerAnswers() {
		// Testcontainers' own search is slow and loud where there is no Docker at all
		if ("false".equals(System.getenv(DOCKER_VARIABLE))) {
			return false;
		}
		if (System.getenv("DOCKER_HOST") == null && !Files.exists(Path.of("/var/run/docker.sock"))) {
			return false;
		}
		return DockerClientFactory.instance().isDockerAvailable();
	}

	@SuppressWarnings("resource") // Testcontainers removes the container after the JVM
	private static JdbcAddress startContainer() {
		PostgreSQLContainer container = new PostgreSQLContainer(CONTAINER_IMAGE);
		container.withCommand("postgres", "-c", "max_connections=200");
		container.start();
		return JdbcAddress.parse(container.getJdbcUrl(),
				Map.of("user", container.getUsername(), "password", container.getPassword()));
	}

	/**
	 * Returns the JDBC URL, login included, of a database on this server.
	 * @param database the name of the database
	 * @return the URL
	 */
	public String jdbcUrl(String database) {
		return this.address.jdbcUrl(database);
	}

	/**
	 * Returns the JDBC URL, login included, of the server's administrative database.
	 * @return the URL
	 */
	public String jdbcUrl() {
		return jdbcUrl(this.address.adminDatabase());
	}

	public String username() {
		return this.address.username();
	}

	public String password() {
		return this.address.password();
	}

	boolean outlivesJvm() {
		return this.outlivesJvm;
	}

	void execute(String sql) {
		try (Connection connection = DriverManager.getConnection(jdbcUrl());
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Failed on " + this + ": " + sql, ex);
		}
	}

	@Override
	public String toString() {
		return this.description + " at " + this.address.prefix() + this.address.adminDatabase();
	}

	/**
	 * Holds the shared server, so that it starts on first use.
	 */
	private static final class Shared {

		static final PostgresServer SERVER = find();

		private Shared() {
		}

	}

}
