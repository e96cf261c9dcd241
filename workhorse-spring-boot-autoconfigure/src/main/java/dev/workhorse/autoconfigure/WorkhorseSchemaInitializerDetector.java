package dev.workhorse.autoconfigure;

import java.util.Set;

import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Makes beans that use the database wait for the schema of the jobs, which in turn waits
 * for the application's own migrations.
 */
final class WorkhorseSchemaInitializerDetector extends AbstractBeansOfTypeDatabaseInitializerDetector
		implements DatabaseInitializerDetector {

	@Override
	protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
		return Set.of(WorkhorseSchemaInitializer.class);
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
