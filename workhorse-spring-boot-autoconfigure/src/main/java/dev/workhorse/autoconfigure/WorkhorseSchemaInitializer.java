package dev.workhorse.autoconfigure;

import dev.workhorse.WorkhorseException;
import dev.workhorse.runtime.Workhorse;

import org.springframework.beans.factory.InitializingBean;

/**
 * Prepares the schema as soon as it is created. A database initializer like the
 * application's own migrations, so that every bean that uses the database comes after it.
 */
final class WorkhorseSchemaInitializer implements InitializingBean {

	private final Workhorse workhorse;

	/**
	 * Create an initializer.
	 * @param workhorse knows the schema; not the one that accepts and runs jobs, whose
	 * codec and listeners may themselves need a prepared database
	 */
	WorkhorseSchemaInitializer(Workhorse workhorse) {
		this.workhorse = workhorse;
	}

	@Override
	public void afterPropertiesSet() {
		try {
			this.workhorse.prepareSchema();
		}
		catch (WorkhorseException ex) {
			throw explain(ex);
		}
	}

	// by convention such a message ends with the next step, after a semicolon
	private static StartupException explain(WorkhorseException ex) {
		String message = String.valueOf(ex.getMessage());
		int step = message.lastIndexOf("; ");
		return (step > 0) ? new StartupException(message.substring(0, step), message.substring(step + 2), ex)
				: new StartupException(message, "check the database that keeps the jobs", ex);
	}

}
