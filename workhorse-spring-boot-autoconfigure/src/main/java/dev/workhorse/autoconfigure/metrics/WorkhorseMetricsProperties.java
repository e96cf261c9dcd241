package dev.workhorse.autoconfigure.metrics;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * How the meters are fed.
 *
 * @param interval How often jobs and keys are counted, once for all nodes, from 1 second
 * to 1 day; 0 for never
 */
@ConfigurationProperties("workhorse.metrics")
record WorkhorseMetricsProperties(@DefaultValue("30s") Duration interval) {

	WorkhorseMetricsProperties {
		boolean valid = interval.isZero()
				|| (interval.compareTo(Duration.ofSeconds(1)) >= 0 && interval.compareTo(Duration.ofDays(1)) <= 0);
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException("workhorse.metrics.interval", interval,
					"'workhorse.metrics.interval' must be 0 or 1 second to 1 day");
		}
	}

}
