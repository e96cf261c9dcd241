package dev.workhorse.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps the SQL, and what tells the {@code DataSource} of a JPA transaction manager, in a
 * native image.
 */
final class WorkhorseRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("dev/workhorse/db/*.sql").registerPattern("dev/workhorse/internal/**/*.sql");
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.springframework.orm.jpa.JpaTransactionManager",
					(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE));
	}

}
