package dev.workhorse.testsupport;

import java.util.Map;

/**
 * A server that belongs to one test, which may stop it and start it again: data directory
 * and port stay. Always runs from the embedded binaries. Obtained from
 * {@link PostgresServer#startOwn()}.
 */
public final class OwnPostgresServer implements AutoCloseable {

	private final EmbeddedServer embedded;

	private final PostgresServer server;

	OwnPostgresServer(Map<String, String> config) {
		this.embedded = new EmbeddedServer(config);
		this.server = new PostgresServer("own embedded PostgreSQL", this.embedded.address(), false);
	}

	/**
	 * The address of this server, to create a {@link TestDatabase} on.
	 * @return the server
	 */
	public PostgresServer server() {
		return this.server;
	}

	/**
	 * Shuts the server down ("fast": open connections are cut) and waits until it is
	 * gone. Does nothing when it is stopped already.
	 */
	public void stop() {
		this.embedded.stop();
	}

	/**
	 * Starts the stopped server and waits until it answers. Does nothing when it runs.
	 */
	public void start() {
		this.embedded.start();
	}

	/**
	 * Stops the server and removes its data directory.
	 */
	@Override
	public void close() {
		this.embedded.close();
	}

}
