package dev.workhorse.autoconfigure;

import dev.workhorse.runtime.WorkhorseBuilder;

/**
 * Configures what properties cannot. Beans of this type are called in their order, after
 * the properties were applied. The {@code DataSource}, the schema and what is done about
 * the schema are properties only, since the schema is prepared before.
 */
@FunctionalInterface
public interface WorkhorseCustomizer {

	/**
	 * Configure the job store.
	 * @param builder the builder, with the properties applied
	 */
	void customize(WorkhorseBuilder builder);

}
