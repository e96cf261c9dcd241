package dev.workhorse.autoconfigure.metrics;

import dev.workhorse.autoconfigure.WorkhorseAutoConfiguration;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for meters about jobs.
 */
@AutoConfiguration(after = WorkhorseAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure."
				+ "CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, Workhorse.class })
@EnableConfigurationProperties(WorkhorseMetricsProperties.class)
public final class WorkhorseMetricsAutoConfiguration {

	WorkhorseMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	WorkhorseMetrics workhorseMetrics(MeterRegistry registry) {
		return new WorkhorseMetrics(registry);
	}

	@Bean
	@ConditionalOnMissingBean
	JobStatisticsPoller workhorseJobStatisticsPoller(Jobs jobs, MeterRegistry registry,
			WorkhorseMetricsProperties properties) {
		return new JobStatisticsPoller(jobs, registry, properties.interval());
	}

}
