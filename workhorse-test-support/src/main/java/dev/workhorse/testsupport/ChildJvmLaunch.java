package dev.workhorse.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes a JVM to start. Obtained from {@link ChildJvm#of(Class)}.
 */
public final class ChildJvmLaunch {

	private final Class<?> mainClass;

	private final List<String> jvmArgs = new ArrayList<>();

	private final List<String> args = new ArrayList<>();

	private final List<String> classPath = new ArrayList<>();

	private final Map<String, String> env = new LinkedHashMap<>();

	ChildJvmLaunch(Class<?> mainClass) {
		this.mainClass = mainClass;
	}

	public ChildJvmLaunch jvmArgs(String... jvmArgs) {
		this.jvmArgs.addAll(List.of(jvmArgs));
		return this;
	}

	/**
	 * Puts a directory in front of the class path.
	 * @param directory the directory
	 * @return this description
	 */
	public ChildJvmLaunch classPath(Path directory) {
		this.classPath.add(directory.toString());
		return this;
	}

	public ChildJvmLaunch args(String... args) {
		this.args.addAll(List.of(args));
		return this;
	}

	public ChildJvmLaunch env(String name, String value) {
		this.env.put(name, value);
		return this;
	}

	/**
	 * Starts the JVM with the class path of this one.
	 * @return the running JVM, to be closed by the test
	 */
	public ChildJvm start() {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(this.jvmArgs);
		List<String> path = new ArrayList<>(this.classPath);
		path.add(System.getProperty("java.class.path"));
		command.addAll(List.of("-cp", String.join(File.pathSeparator, path), this.mainClass.getName()));
		command.addAll(this.args);
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().putAll(this.env);
		try {
			return new ChildJvm(builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Child JVM did not start", ex);
		}
	}

}
