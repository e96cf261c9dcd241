package dev.workhorse.autoconfigure.actuate;

import dev.workhorse.autoconfigure.WorkhorseAutoConfiguration;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the {@link WorkhorseEndpoint}.
 */
@AutoConfiguration(after = WorkhorseAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Workhorse.class)
@ConditionalOnAvailableEndpoint(WorkhorseEndpoint.class)
@EnableConfigurationProperties(WorkhorseEndpointProperties.class)
public final class WorkhorseEndpointAutoConfiguration {

	WorkhorseEndpointAutoConfiguration() {
	}

	@Bean
	OutcomeCounts workhorseOutcomeCounts() {
		return new OutcomeCounts();
	}

	@Bean
	@ConditionalOnMissingBean
	WorkhorseEndpoint workhorseEndpoint(Workhorse workhorse, Jobs jobs, OutcomeCounts counts,
			ObjectProvider<SanitizingFunction> sanitizingFunctions, WorkhorseEndpointProperties properties) {
		return new WorkhorseEndpoint(workhorse, jobs, counts, sanitizingFunctions.orderedStream().toList(),
				properties.showValues());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(WorkhorseEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	WorkhorseEndpointWebExtension workhorseEndpointWebExtension(WorkhorseEndpoint endpoint,
			WorkhorseEndpointProperties properties) {
		return new WorkhorseEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
	}

}
