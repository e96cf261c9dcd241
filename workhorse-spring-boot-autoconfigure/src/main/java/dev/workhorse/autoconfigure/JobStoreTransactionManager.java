package dev.workhorse.autoconfigure;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the application's transaction manager for the {@code DataSource} that keeps the
 * jobs. Only looked for at start, and only for transactional handlers: a JPA one needs
 * all of JPA, whose parts may need the job store.
 */
final class JobStoreTransactionManager implements Supplier<PlatformTransactionManager> {

	private final ListableBeanFactory beanFactory;

	private final DataSource dataSource;

	JobStoreTransactionManager(ListableBeanFactory beanFactory, DataSource dataSource) {
		this.beanFactory = beanFactory;
		this.dataSource = dataSource;
	}

	@Override
	public PlatformTransactionManager get() {
		Map<String, PlatformTransactionManager> all = this.beanFactory.getBeansOfType(PlatformTransactionManager.class);
		if (all.isEmpty()) {
			return new JdbcTransactionManager(this.dataSource);
		}
		Map<String, PlatformTransactionManager> fitting = new LinkedHashMap<>(all);
		fitting.values().removeIf((manager) -> !manages(manager));
		if (fitting.size() == 1) {
			return fitting.values().iterator().next();
		}
		PlatformTransactionManager main = this.beanFactory.getBeanProvider(PlatformTransactionManager.class)
			.getIfUnique();
		if (main != null && fitting.containsValue(main)) {
			return main;
		}
		if (fitting.isEmpty()) {
			throw new StartupException(
					"A transactional @JobHandler needs a transaction manager for the DataSource that keeps the jobs, "
							+ "but these manage something else: " + all.keySet(),
					"declare a JdbcTransactionManager for that DataSource, or mark the DataSource that they manage "
							+ "with @WorkhorseDataSource",
					null);
		}
		throw new StartupException(
				"A transactional @JobHandler needs the transaction manager for the DataSource that keeps the jobs, "
						+ "but there are several and none of them is the primary one: " + fitting.keySet(),
				"mark the one that handlers are to use with @Primary", null);
	}

	private boolean manages(PlatformTransactionManager manager) {
		DataSource managed = dataSource(manager);
		return managed != null && unwrap(managed) == unwrap(this.dataSource);
	}

	private static @Nullable DataSource dataSource(PlatformTransactionManager manager) {
		if (manager instanceof ResourceTransactionManager resources
				&& resources.getResourceFactory() instanceof DataSource dataSource) {
			return dataSource;
		}
		// the one of JPA says so, too, without being known here
		Method getter = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
		return (getter != null && ReflectionUtils.invokeMethod(getter, manager) instanceof DataSource dataSource)
				? dataSource : null;
	}

	private static DataSource unwrap(DataSource dataSource) {
		return (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null)
				? proxy.getTargetDataSource() : dataSource;
	}

}
