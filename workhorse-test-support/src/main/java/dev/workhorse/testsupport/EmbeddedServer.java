package dev.workhorse.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL from binaries on the class path, on a data directory of its own. A small
 * shell process holds the reading end of a pipe: when this JVM ends, however it ends, the
 * pipe closes, and the shell stops the server and removes the data directory.
 */
final class EmbeddedServer implements AutoCloseable {

	/**
	 * The binaries' wrapper turns {@code synchronous_commit} off unless told otherwise.
	 */
	private static final Map<String, String> CONFIG = Map.of("max_connections", "200", "synchronous_commit", "on");

	private static final String REAPER = """
			trap '' INT TERM HUP
			cat >/dev/null
			pid=$(head -n 1 "$0/postmaster.pid" 2>/dev/null)
			if [ -n "$pid" ]; then
				kill -QUIT "$pid"
				tries=0
				while [ -e "$0/postmaster.pid" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
				kill -KILL "$pid" 2>/dev/null
			fi
			rm -rf "$0"
			""";

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

	private final Map<String, String> config = new LinkedHashMap<>(CONFIG);

	private final Path dataDirectory;

	private final Process reaper;

	private EmbeddedPostgres postgres;

	private boolean running;

	EmbeddedServer(Map<String, String> config) {
		this.config.putAll(config);
		try {
			this.dataDirectory = Files.createTempDirectory("workhorse-postgres-");
			this.reaper = new ProcessBuilder("sh", "-c", REAPER, this.dataDirectory.toString())
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			this.postgres = launch(null);
			this.running = true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Embedded PostgreSQL did not start", ex);
		}
	}

	private EmbeddedPostgres launch(@Nullable Integer port) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setDataDirectory(this.dataDirectory)
			.setCleanDataDirectory(false)
			.setLocaleConfig("locale", "C")
			.setPGStartupWait(Duration.ofSeconds(60));
		this.config.forEach(builder::setServerConfig);
		if (port != null) {
			builder.setPort(port);
		}
		return builder.start();
	}

	JdbcAddress address() {
		return JdbcAddress.parse("jdbc:postgresql://localhost:" + this.postgres.getPort() + "/postgres",
				Map.of("user", "postgres", "password", "postgres"));
	}

	synchronized void stop() {
		if (!this.running) {
			return;
		}
		this.running = false;
		try {
			this.postgres.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Embedded PostgreSQL did not stop", ex);
		}
		awaitEnd();
	}

	/** The wrapper waits for five seconds only, and a server may wait for its clients. */
	private void awaitEnd() {
		Path pidFile = this.dataDirectory.resolve("postmaster.pid");
		try {
			if (Files.exists(pidFile)) {
				// stop at once, like a crash
				new ProcessBuilder("kill", "-QUIT", Files.readAllLines(pidFile).get(0)).start().waitFor();
			}
		}
		catch (IOException ex) {
			// it has ended meanwhile
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		Await.until("end of PostgreSQL", STOP_TIMEOUT, () -> !Files.exists(pidFile));
	}

	synchronized void start() {
		if (this.running) {
			return;
		}
		try {
			this.postgres = launch(this.postgres.getPort());
			this.running = true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Embedded PostgreSQL did not start again", ex);
		}
	}

	@Override
	public void close() {
		stop();
		try {
			this.reaper.getOutputStream().close();
			this.reaper.waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
