package dev.workhorse.autoconfigure.actuate;

import dev.workhorse.autoconfigure.WorkhorseAutoConfiguration;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the {@link WorkhorseEndpoint}.
 */
@AutoConfiguration(after = WorkhorseAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Workhorse.class)
@ConditionalOnAvailableEndpoint(WorkhorseEndpoint.class)
public final class WorkhorseEndpointAutoConfiguration {

	WorkhorseEndpointAutoConfiguration() {
	}

	@Bean
	OutcomeCounts workhorseOutcomeCounts() {
		return new OutcomeCounts();
	}

	@Bean
	@ConditionalOnMissingBean
	WorkhorseEndpoint workhorseEndpoint(Workhorse workhorse, Jobs jobs, OutcomeCounts counts) {
		return new WorkhorseEndpoint(workhorse, jobs, counts);
	}

}
