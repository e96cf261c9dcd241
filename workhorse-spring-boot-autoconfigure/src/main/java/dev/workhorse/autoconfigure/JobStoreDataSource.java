package dev.workhorse.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The application's {@code DataSource} that keeps the jobs. A bean of its own, so that
 * the choice is made, and fails, in one place.
 */
final class JobStoreDataSource {

	private final DataSource dataSource;

	JobStoreDataSource(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	static JobStoreDataSource choose(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
		try {
			DataSource dataSource = marked.getIfAvailable();
			return new JobStoreDataSource((dataSource != null) ? dataSource : all.getObject());
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new StartupException(
					"Jobs are kept in one DataSource, but there are several and none of them is the primary one: "
							+ ex.getBeanNamesFound(),
					"mark the one that keeps the jobs with @WorkhorseDataSource, or the application's main one "
							+ "with @Primary",
					ex);
		}
	}

	DataSource get() {
		return this.dataSource;
	}

}
