package dev.workhorse.sample;

import java.io.IOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Starts a PostgreSQL that lives as long as the application, so that the sample runs with
 * nothing but a JDK. Stands back when {@code spring.datasource.url} is set.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedPostgresConfiguration.NoDatabaseConfigured.class)
class EmbeddedPostgresConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedPostgresConfiguration.class);

	/**
	 * The context stops the server, after all who use it; a shutdown hook of its own
	 * would pull it away from under them.
	 */
	@Bean(destroyMethod = "close")
	EmbeddedPostgres embeddedPostgres() throws IOException {
		EmbeddedPostgres postgres = EmbeddedPostgres.builder()
			.setServerConfig("synchronous_commit", "on")
			.setLocaleConfig("locale", "C")
			.setRegisterShutdownHook(false)
			.start();
		logger.info("Started a temporary PostgreSQL: {}", postgres.getJdbcUrl("postgres", "postgres"));
		return postgres;
	}

	@Bean
	JdbcConnectionDetails embeddedPostgresConnection(EmbeddedPostgres postgres) {
		return new EmbeddedConnection(postgres.getJdbcUrl("postgres", "postgres"));
	}

	/**
	 * Matches when the application was not given a database.
	 */
	static final class NoDatabaseConfigured implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return !StringUtils.hasText(context.getEnvironment().getProperty("spring.datasource.url"));
		}

	}

	/**
	 * What Spring Boot makes the connection pool from.
	 *
	 * @param jdbcUrl where the server listens
	 */
	private record EmbeddedConnection(String jdbcUrl) implements JdbcConnectionDetails {

		@Override
		public String getJdbcUrl() {
			return this.jdbcUrl;
		}

		@Override
		public String getUsername() {
			return "postgres";
		}

		@Override
		public String getPassword() {
			return "postgres";
		}

	}

}
