package dev.workhorse.docs;

import java.time.Duration;

import javax.sql.DataSource;

import dev.workhorse.autoconfigure.WorkhorseCustomizer;
import dev.workhorse.autoconfigure.WorkhorseDataSource;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The configuration in the book.
 */
@Configuration(proxyBeanMethods = false)
class JobStoreConfiguration {

	// tag::customizer[]
	@Bean
	WorkhorseCustomizer nightlyQueue() {
		return (builder) -> builder.workOn("nightly", 2).limitRate("nightly", 100, Duration.ofMinutes(1));
	}
	// end::customizer[]

	// tag::datasource[]
	@Bean
	@WorkhorseDataSource
	DataSource jobs() {
		return DataSourceBuilder.create().url("jdbc:postgresql://db.example.com/jobs").build();
	}

	@Bean
	JdbcTransactionManager jobsTransactionManager(@WorkhorseDataSource DataSource jobs) {
		return new JdbcTransactionManager(jobs);
	}
	// end::datasource[]

}
