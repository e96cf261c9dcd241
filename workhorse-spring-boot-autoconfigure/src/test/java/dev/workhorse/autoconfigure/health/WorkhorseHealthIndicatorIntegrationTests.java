package dev.workhorse.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.autoconfigure.TestJobStore;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.PostgresServer;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class WorkhorseHealthIndicatorIntegrationTests {

	@Test
	void isUpWhileTheHeartbeatReachesTheDatabase() {
		try (OwnPostgresServer server = PostgresServer.startOwn(); HikariDataSource dataSource = pool(server)) {
			Workhorse workhorse = workhorse(dataSource, true);
			WorkhorseHealthIndicator indicator = new WorkhorseHealthIndicator(workhorse);
			workhorse.prepareSchema();
			assertThat(indicator.health()).isEqualTo(Health.outOfService().withDetail("worker", "stopped").build());
			workhorse.start();
			Await.until("listening", () -> workhorse.workerStatus().listening());
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
			Await.until("looked for jobs", () -> workhorse.workerStatus().sinceClaim() != null);
			Map<String, Object> details = indicator.health().getDetails();
			assertThat(details).containsEntry("worker", "working")
				.containsEntry("wakeUp", "listening")
				.containsEntry("unhandledTypes", List.of())
				.containsEntry("schemaVersion", 1)
				.containsEntry("queues", Map.of("default", 0))
				.containsEntry("types", workhorse.workerStatus().types());
			assertThat(Duration.parse((String) details.get("sinceLastClaim"))).isLessThan(Duration.ofMinutes(1));
			server.stop();
			Health down = Await.value("down", Duration.ofSeconds(20), indicator::health,
					(health) -> health.getStatus().equals(Status.DOWN));
			assertThat(down.getDetails()).containsEntry("worker", "heartbeat does not reach the database");
			workhorse.stop(Duration.ZERO);
		}
	}

	@Test
	void jobsThatNoNodeHandlesAreShownAndNotCountedEachTime() {
		try (TestDatabase database = TestJobStore.migratedDatabase()) {
			Workhorse workhorse = workhorse(database.dataSource(), true);
			workhorse.start();
			Await.until("working", () -> !workhorse.jobs().workers().isEmpty());
			workhorse.queue().enqueue("of the next version", 1);
			WorkhorseHealthIndicator indicator = new WorkhorseHealthIndicator(workhorse);
			List<UnhandledType> one = List.of(new UnhandledType("default", "of the next version", 1));
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
			assertThat(indicator.health().getDetails()).containsEntry("unhandledTypes", one);
			workhorse.queue().enqueue("of the next version", 2);
			assertThat(indicator.health().getDetails()).containsEntry("unhandledTypes", one);
			assertThat(new WorkhorseHealthIndicator(workhorse).health().getDetails()).containsEntry("unhandledTypes",
					List.of(new UnhandledType("default", "of the next version", 2)));
			workhorse.stop(Duration.ZERO);
		}
	}

	@Test
	void nodeWithoutAWorkerIsUp() {
		try (HikariDataSource dataSource = new HikariDataSource()) {
			Workhorse workhorse = workhorse(dataSource, false);
			assertThat(new WorkhorseHealthIndicator(workhorse).health())
				.isEqualTo(Health.up().withDetail("worker", "disabled").build());
		}
	}

	private static Workhorse workhorse(DataSource dataSource, boolean workerEnabled) {
		return Workhorse.builder(dataSource)
			.workerEnabled(workerEnabled)
			.lease(Duration.ofMillis(600))
			.handler(HandlerDefinition.of("some", String.class, (payload, job) -> null))
			.build();
	}

	private static HikariDataSource pool(OwnPostgresServer server) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(server.server().jdbcUrl());
		config.setMinimumIdle(0);
		config.setConnectionTimeout(500);
		return new HikariDataSource(config);
	}

}
