package dev.workhorse.testsupport;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database that belongs to one test class: a copy of a template that is migrated once
 * per JVM. Names carry a random run id, so that JVMs can share one server.
 */
public final class TestDatabase implements AutoCloseable {

	private static final String RUN = "wh_" + UUID.randomUUID().toString().substring(0, 8);

	private static final AtomicInteger SEQUENCE = new AtomicInteger();

	private static final Map<TemplateKey, String> TEMPLATES = new ConcurrentHashMap<>();

	private final PostgresServer server;

	private final String name;

	private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();

	private @Nullable DataSource dataSource;

	private TestDatabase(PostgresServer server, String name) {
		this.server = server;
		this.name = name;
	}

	/**
	 * Creates a database on the shared server.
	 * @param templateName names the template within this JVM: lower-case letters, digits
	 * and underscores
	 * @param migration fills the template; runs once per JVM and template name
	 * @return the database, to be closed by the test
	 */
	public static TestDatabase create(String templateName, Consumer<DataSource> migration) {
		return createOn(PostgresServer.shared(), templateName, migration);
	}

	/**
	 * Creates a database on the given server.
	 * @param server the server
	 * @param templateName names the template within this JVM and server
	 * @param migration fills the template; runs once per JVM, server and template name
	 * @return the database, to be closed by the test
	 */
	public static TestDatabase createOn(PostgresServer server, String templateName, Consumer<DataSource> migration) {
		String template = TEMPLATES.computeIfAbsent(new TemplateKey(server, templateName),
				(key) -> createTemplate(key, migration));
		String name = RUN + "_" + SEQUENCE.incrementAndGet();
		server.execute("create database " + name + " template " + template);
		return new TestDatabase(server, name);
	}

	private static String createTemplate(TemplateKey key, Consumer<DataSource> migration) {
		String template = RUN + "_t" + SEQUENCE.incrementAndGet() + "_" + key.name();
		PostgresServer server = key.server();
		server.execute("create database " + template);
		if (server.outlivesJvm()) {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> drop(server, template), "drop-" + template));
		}
		try (HikariDataSource dataSource = new HikariDataSource(pool(server.jdbcUrl(template), "template"))) {
			migration.accept(dataSource);
		}
		return template;
	}

	private static HikariConfig pool(String jdbcUrl, String poolName) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(jdbcUrl);
		config.setPoolName(poolName);
		config.setMaximumPoolSize(20);
		// with none, HikariCP now and then leaves one of several callers without a
		// connection until another gives one back: seen once in 400 bursts
		config.setMinimumIdle(5);
		return config;
	}

	private static void drop(PostgresServer server, String database) {
		server.execute("drop database if exists " + database + " with (force)");
	}

	public String name() {
		return this.name;
	}

	/**
	 * Returns the URL of this database; user and password are part of it.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return this.server.jdbcUrl(this.name);
	}

	public String username() {
		return this.server.username();
	}

	public String password() {
		return this.server.password();
	}

	/**
	 * Returns the pool of this database: up to 20 connections, auto-commit.
	 * @return the same pool on every call
	 */
	public synchronized DataSource dataSource() {
		if (this.dataSource == null) {
			this.dataSource = newDataSource((config) -> {
			});
		}
		return this.dataSource;
	}

	/**
	 * Opens another pool, closed together with this database.
	 * @param customizer changes the settings of the pool
	 * @return a new pool
	 */
	public HikariDataSource newDataSource(Consumer<HikariConfig> customizer) {
		HikariConfig config = pool(jdbcUrl(), this.name + "-" + (this.pools.size() + 1));
		customizer.accept(config);
		HikariDataSource pool = new HikariDataSource(config);
		this.pools.add(pool);
		return pool;
	}

	/**
	 * Opens a connection outside any pool.
	 * @return the connection, to be closed by the test
	 * @throws SQLException if the server cannot be reached
	 */
	public Connection newConnection() throws SQLException {
		return DriverManager.getConnection(jdbcUrl());
	}

	/**
	 * Closes the pools, cuts all other connections and drops the database.
	 */
	@Override
	public void close() {
		this.pools.forEach(HikariDataSource::close);
		drop(this.server, this.name);
	}

	@Override
	public String toString() {
		return this.name + " on " + this.server;
	}

	/**
	 * Identifies a template.
	 *
	 * @param server where it is
	 * @param name what the test calls it
	 */
	private record TemplateKey(PostgresServer server, String name) {

		TemplateKey {
			if (!name.matches("[a-z0-9_]{1,30}")) {
				throw new IllegalArgumentException("Template names are [a-z0-9_]{1,30}, not '" + name + "'");
			}
		}

	}

}
