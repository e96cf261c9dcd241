package dev.workhorse.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.workhorse.testsupport.ChildJvm;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplicationAotProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application, processed ahead of time as for a native image, but run by a JVM.
 */
class AotIntegrationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	@TempDir
	private Path directory;

	@Test
	void runsAsProcessedAheadOfTime() throws IOException {
		Path sources = this.directory.resolve("sources");
		Path resources = this.directory.resolve("resources");
		Path classes = this.directory.resolve("classes");
		try (TestDatabase database = RunningSample.emptyDatabase()) {
			List<String> arguments = RunningSample.arguments(database);
			process(List.of(sources, resources, classes), arguments);
			compile(sources, classes);
			assertThat(classes.resolve("dev/workhorse/sample/SampleApplication__ApplicationContextInitializer.class"))
				.exists();
			assertThat(Files
				.readString(resources.resolve("META-INF/native-image/dev.workhorse/sample/reachability-metadata.json"))
				.replace("\\/", "/")).contains("dev/workhorse/internal/**/*.sql")
				.contains("dev/workhorse/db/*.sql")
				.contains("GitHubDeliveryHandler");
			try (ChildJvm sample = ChildJvm.of(SampleApplication.class)
				.classPath(classes)
				.classPath(resources)
				.jvmArgs("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dspring.aot.enabled=true")
				.args(arguments.toArray(String[]::new))
				.start()) {
				sample.awaitLine("Still serving on ", PATIENCE);
				assertThat(sample.lines()).anyMatch((line) -> line.matches(".* ran exactly once +72 .*"));
			}
		}
	}

	private static void process(List<Path> output, List<String> arguments) {
		List<String> all = new ArrayList<>(List.of(SampleApplication.class.getName()));
		output.forEach((directory) -> all.add(directory.toString()));
		all.addAll(List.of("dev.workhorse", "sample"));
		all.addAll(arguments);
		try (ChildJvm processor = ChildJvm.of(SpringApplicationAotProcessor.class)
			.jvmArgs("-Xmx256m", "-XX:TieredStopAtLevel=1")
			.args(all.toArray(String[]::new))
			.start()) {
			assertThat(processor.exitCode(PATIENCE)).as(() -> String.join("\n", processor.lines())).isZero();
		}
	}

	private static void compile(Path sources, Path classes) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp",
				classes + System.getProperty("path.separator") + System.getProperty("java.class.path")));
		try (Stream<Path> files = Files.walk(sources)) {
			files.filter((file) -> file.toString().endsWith(".java")).forEach((file) -> arguments.add(file.toString()));
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

}
