package dev.workhorse.autoconfigure.observation;

import dev.workhorse.autoconfigure.WorkhorseAutoConfiguration;
import dev.workhorse.runtime.Workhorse;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for observations of requests and attempts.
 */
@AutoConfiguration(after = WorkhorseAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ ObservationRegistry.class, Workhorse.class })
public final class WorkhorseObservationAutoConfiguration {

	WorkhorseObservationAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	ObservationInterceptor workhorseObservationInterceptor(ObservationRegistry registry) {
		return new ObservationInterceptor(registry);
	}

}
