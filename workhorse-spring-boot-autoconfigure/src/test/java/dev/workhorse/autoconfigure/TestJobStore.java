package dev.workhorse.autoconfigure;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import dev.workhorse.autoconfigure.actuate.WorkhorseEndpointAutoConfiguration;
import dev.workhorse.autoconfigure.health.WorkhorseHealthContributorAutoConfiguration;
import dev.workhorse.autoconfigure.metrics.WorkhorseMetricsAutoConfiguration;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.WorkerNode;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.jspecify.annotations.NullMarked;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/**
 * An application with a database of its own.
 */
@NullMarked
public final class TestJobStore {

	private TestJobStore() {
	}

	public static TestDatabase migratedDatabase() {
		return TestDatabase.create("workhorse", (dataSource) -> Workhorse.builder(dataSource).build().prepareSchema());
	}

	public static TestDatabase emptyDatabase() {
		return TestDatabase.create("empty", (dataSource) -> {
		});
	}

	public static String[] properties(TestDatabase database) {
		return new String[] { "spring.datasource.url=" + database.jdbcUrl(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password(), "spring.datasource.hikari.maximum-pool-size=4",
				"spring.datasource.hikari.minimum-idle=0" };
	}

	public static ApplicationContextRunner application(TestDatabase database) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					TransactionAutoConfiguration.class, WorkhorseAutoConfiguration.class,
					WorkhorseEndpointAutoConfiguration.class, WorkhorseHealthContributorAutoConfiguration.class,
					WorkhorseMetricsAutoConfiguration.class))
			.withPropertyValues(properties(database));
	}

	public static JobDetails awaitFinished(BeanFactory context, UUID jobId) {
		return await(context, jobId, (job) -> job.state().isFinished());
	}

	public static JobDetails awaitState(BeanFactory context, UUID jobId, JobState state) {
		return await(context, jobId, (job) -> job.state() == state);
	}

	public static Optional<JobDetails> find(BeanFactory context, UUID jobId) {
		return context.getBean(Jobs.class).find(jobId);
	}

	public static WorkerNode awaitNode(BeanFactory context) {
		Jobs jobs = context.getBean(Jobs.class);
		return Await.value("a node", jobs::workers, (nodes) -> nodes.stream().anyMatch(WorkerNode::alive)).get(0);
	}

	private static JobDetails await(BeanFactory context, UUID jobId, Function<JobDetails, Boolean> accepted) {
		Jobs jobs = context.getBean(Jobs.class);
		return Await.value("the state of job " + jobId, () -> jobs.find(jobId).orElseThrow(), accepted::apply);
	}

}
