package dev.workhorse.autoconfigure.health;

import dev.workhorse.autoconfigure.WorkhorseAutoConfiguration;
import dev.workhorse.runtime.Workhorse;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the {@code workhorse} health indicator.
 */
@AutoConfiguration(after = WorkhorseAutoConfiguration.class)
@ConditionalOnClass({ ConditionalOnEnabledHealthIndicator.class, HealthIndicator.class })
@ConditionalOnBean(Workhorse.class)
@ConditionalOnEnabledHealthIndicator("workhorse")
public final class WorkhorseHealthContributorAutoConfiguration {

	WorkhorseHealthContributorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = { "workhorseHealthIndicator", "workhorseHealthContributor" })
	WorkhorseHealthIndicator workhorseHealthContributor(Workhorse workhorse) {
		return new WorkhorseHealthIndicator(workhorse);
	}

}
