package dev.workhorse.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of this one, to be killed or paused like a real one.
 * Ends with this JVM at the latest. Needs a POSIX system.
 */
public final class ChildJvm implements AutoCloseable {

	private final Process process;

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Thread reader = new Thread(this::read, "child-jvm-output");

	private final Thread reaper = new Thread(this::destroy, "child-jvm-reaper");

	ChildJvm(Process process) {
		this.process = process;
		this.reader.setDaemon(true);
		this.reader.start();
		Runtime.getRuntime().addShutdownHook(this.reaper);
	}

	/**
	 * Describes a JVM to start.
	 * @param mainClass the class whose {@code main} runs
	 * @return the description, to be started
	 */
	public static ChildJvmLaunch of(Class<?> mainClass) {
		return new ChildJvmLaunch(mainClass);
	}

	private void read() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			this.lines.add("(output ended: " + ex.getMessage() + ")");
		}
	}

	public long pid() {
		return this.process.pid();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Returns what the JVM has printed so far, standard error included.
	 * @return a copy
	 */
	public List<String> lines() {
		return List.copyOf(this.lines);
	}

	/**
	 * Waits until the JVM has printed a line; fails at once, with its output, when it
	 * ends before.
	 * @param contains what the line contains
	 * @param timeout how long at most
	 * @return the first such line
	 */
	public String awaitLine(String contains, Duration timeout) {
		List<String> output = Await.value("a line with '" + contains + "'", timeout, () -> {
			boolean ended = !this.reader.isAlive();
			List<String> printed = lines();
			if (ended && printed.stream().noneMatch((line) -> line.contains(contains))) {
				throw new AssertionError("Child JVM ended without printing '" + contains + "': " + printed);
			}
			return printed;
		}, (printed) -> printed.stream().anyMatch((line) -> line.contains(contains)));
		return output.stream().filter((line) -> line.contains(contains)).findFirst().orElseThrow();
	}

	/**
	 * Kills the JVM (SIGKILL) and waits until it is gone.
	 */
	public void kill9() {
		destroy();
		exitCode(Await.DEFAULT_TIMEOUT);
	}

	/**
	 * Asks the JVM to end (SIGTERM): its shutdown hooks run.
	 */
	public void terminate() {
		this.process.toHandle().destroy();
	}

	/**
	 * Stops all threads of the JVM (SIGSTOP) until {@link #resume()}.
	 */
	public void pause() {
		signal("STOP");
	}

	public void resume() {
		signal("CONT");
	}

	/**
	 * Waits until the JVM has ended and its output is read.
	 * @param timeout how long at most
	 * @return its exit code; 137 after {@link #kill9()}
	 */
	public int exitCode(Duration timeout) {
		try {
			if (!this.process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new AssertionError("Child JVM still runs after " + timeout + ": " + lines());
			}
			this.reader.join(Duration.ofSeconds(1).toMillis());
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("Interrupted while a child JVM was to end", ex);
		}
	}

	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.reaper);
		kill9();
	}

	private void destroy() {
		// unlike the process itself, its handle leaves the pipe open for the last lines
		this.process.toHandle().destroyForcibly();
	}

	private void signal(String name) {
		try {
			int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
			if (exit != 0) {
				throw new IllegalStateException("kill -" + name + " " + pid() + " failed");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
