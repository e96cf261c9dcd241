package dev.workhorse.autoconfigure;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import javax.sql.DataSource;

import dev.workhorse.Queue;
import dev.workhorse.RetryPolicy;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.Jobs;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Auto-configuration for durable jobs in the application's PostgreSQL: a {@link Queue}
 * and a {@link Conductor} that accept them, {@link Jobs} to look at them, and a worker
 * that runs the {@code @JobHandler} methods of all beans while the application is up.
 * <p>
 * An application that brings a {@link Workhorse} of its own also prepares its schema; it
 * is then started and stopped with the application like the configured one.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class,
		afterName = { "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
				"org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
				"org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
				"org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration",
				"org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration" })
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(WorkhorseProperties.class)
@Import({ DatabaseInitializationDependencyConfigurer.class, PayloadCodecConfigurations.Jackson3.class,
		PayloadCodecConfigurations.Jackson2.class })
@ImportRuntimeHints(WorkhorseRuntimeHints.class)
public final class WorkhorseAutoConfiguration {

	WorkhorseAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	Queue workhorseQueue(Workhorse workhorse) {
		return workhorse.queue();
	}

	@Bean
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	Conductor workhorseConductor(Workhorse workhorse) {
		return workhorse.conductor();
	}

	@Bean
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	Jobs workhorseJobs(Workhorse workhorse) {
		return workhorse.jobs();
	}

	// a child context does not stop what its parent has started
	@Bean
	@ConditionalOnBean(value = Workhorse.class, search = SearchStrategy.CURRENT)
	@DependsOnDatabaseInitialization
	WorkhorseLifecycle workhorseLifecycle(Workhorse workhorse, WorkhorseProperties properties) {
		Duration grace = properties.worker().shutdownGrace();
		if (grace.isNegative()) {
			throw PropertyBounds.violation("workhorse.worker.shutdown-grace", grace, "0 seconds or more");
		}
		return new WorkhorseLifecycle(workhorse, grace);
	}

	/**
	 * The job store and its parts, unless the application brings its own.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(Workhorse.class)
	static class JobStoreConfiguration {

		private final WorkhorseProperties properties;

		private final PropertyBounds bounds;

		JobStoreConfiguration(WorkhorseProperties properties) {
			this.properties = properties;
			this.bounds = new PropertyBounds(properties);
		}

		@Bean
		JobStoreDataSource workhorseJobStoreDataSource(@WorkhorseDataSource ObjectProvider<DataSource> marked,
				ObjectProvider<DataSource> all) {
			return JobStoreDataSource.choose(marked, all);
		}

		@Bean
		WorkhorseSchemaInitializer workhorseSchemaInitializer(JobStoreDataSource dataSource) {
			return new WorkhorseSchemaInitializer(this.bounds.check(() -> builder(dataSource).build()));
		}

		@Bean
		WorkerConnections workhorseWorkerConnections(JobStoreDataSource dataSource) {
			return WorkerConnections.of(dataSource.get(), this.properties.worker());
		}

		@Bean
		static JobHandlerBeans workhorseJobHandlerBeans(ConfigurableListableBeanFactory beanFactory) {
			return new JobHandlerBeans(beanFactory);
		}

		@Bean
		@DependsOnDatabaseInitialization
		Workhorse workhorse(JobStoreDataSource dataSource, WorkerConnections connections, JobHandlerBeans handlers,
				ObjectProvider<PayloadCodec> codec, ListableBeanFactory beanFactory, Environment environment) {
			return this.bounds.check(() -> {
				WorkhorseBuilder builder = builder(dataSource).workerDataSource(connections.dataSource())
					.handlers(handlers)
					.transactionManager(new JobStoreTransactionManager(beanFactory, dataSource.get()));
				apply(this.properties.enqueue(), builder);
				apply(this.properties.worker(), builder, environment);
				WorkhorseProperties.Retention retention = this.properties.retention();
				builder.retention(retention.succeeded(), retention.failed(), retention.cancelled())
					.maintenanceInterval(retention.interval())
					.eventDedupeRetention(this.properties.events().dedupeRetention());
				builder.pepper(this.properties.keys().pepper());
				builder
					.maxPayloadBytes((int) Math.min(Integer.MAX_VALUE, this.properties.payload().maxSize().toBytes()));
				codec.ifAvailable(builder::codec);
				beanFactory.getBeanProvider(WorkhorseListener.class).orderedStream().forEach(builder::listener);
				beanFactory.getBeanProvider(WorkhorseInterceptor.class).orderedStream().forEach(builder::interceptor);
				beanFactory.getBeanProvider(WorkhorseCustomizer.class)
					.orderedStream()
					.forEach((customizer) -> customizer.customize(builder));
				return builder.build();
			});
		}

		private WorkhorseBuilder builder(JobStoreDataSource dataSource) {
			return Workhorse.builder(dataSource.get())
				.schema(this.properties.schema().name())
				.schemaMode(this.properties.schema().mode());
		}

		private static void apply(WorkhorseProperties.Enqueue properties, WorkhorseBuilder builder) {
			builder.idempotencyTtl(properties.idempotencyTtl())
				.maxAttempts(properties.maxAttempts())
				.retryPolicy(RetryPolicy.parse(properties.retryPolicy()))
				.keyWait(properties.keyWait());
		}

		private static void apply(WorkhorseProperties.Worker properties, WorkhorseBuilder builder,
				Environment environment) {
			builder.workerEnabled(properties.enabled())
				.lease(properties.lease())
				.pollInterval(properties.pollInterval())
				.name((properties.name() != null) ? properties.name() : NodeName.of(environment));
			properties.queues()
				.forEach((name, queue) -> PropertyBounds.checkQueue(name, queue, () -> apply(name, queue, builder)));
			if (Threading.VIRTUAL.isActive(environment)) {
				builder.handlerThreads(virtualThreads());
			}
		}

		private static void apply(String name, WorkhorseProperties.Queue queue, WorkhorseBuilder builder) {
			builder.workOn(name, queue.concurrency());
			if (queue.concurrencyPerKey() != null) {
				builder.limitPerKey(name, queue.concurrencyPerKey());
			}
			if (queue.rateLimit() != null) {
				builder.limitRate(name, queue.rateLimit(), queue.ratePeriod());
			}
		}

		private static ThreadFactory virtualThreads() {
			return new VirtualThreadTaskExecutor("workhorse-handler-").getVirtualThreadFactory();
		}

	}

}
