package dev.workhorse.sample;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EmbeddedPostgresConfigurationIntegrationTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withUserConfiguration(EmbeddedPostgresConfiguration.class);

	@Test
	void serverLivesAsLongAsTheApplication() {
		StringBuilder url = new StringBuilder();
		this.application.run((context) -> {
			url.append(context.getBean(JdbcConnectionDetails.class).getJdbcUrl());
			try (Connection connection = DriverManager.getConnection(url.toString(), "postgres", "postgres")) {
				assertThat(connection.isValid(1)).isTrue();
			}
		});
		assertThatExceptionOfType(SQLException.class)
			.isThrownBy(() -> DriverManager.getConnection(url.toString(), "postgres", "postgres"));
	}

	@Test
	void configuredDatabaseIsUsedInstead() {
		this.application.withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost/shop")
			.run((context) -> assertThat(context).doesNotHaveBean(EmbeddedPostgres.class));
	}

}
