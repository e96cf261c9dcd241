package dev.workhorse.autoconfigure;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.Queue;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.operations.JobState;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class WorkerConnectionsIntegrationTests {

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void poolIsDerivedFromAHikariPoolAndSetUpForTheWorker() throws Exception {
		try (HikariDataSource application = database.newDataSource((config) -> {
			config.setAutoCommit(false);
			config.setReadOnly(true);
			config.setMaximumPoolSize(1);
			config.setLeakDetectionThreshold(2_000);
			config.setConnectionInitSql("set application_name = 'shop'");
		}); WorkerConnections connections = WorkerConnections.of(application, worker(true, 5))) {
			assertThat(connections.dataSource()).isInstanceOf(HikariDataSource.class).isNotSameAs(application);
			HikariDataSource pool = (HikariDataSource) connections.dataSource();
			assertThat(pool.getPoolName()).isEqualTo("workhorse");
			assertThat(pool.getMaximumPoolSize()).isEqualTo(5);
			assertThat(pool.getMinimumIdle()).isEqualTo(1);
			assertThat(pool.getLeakDetectionThreshold()).isZero();
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.getAutoCommit()).isTrue();
				assertThat(connection.isReadOnly()).isFalse();
				assertThat(show(connection, "application_name")).isEqualTo("shop");
				assertThat(show(connection, "enable_seqscan")).isEqualTo("off");
				assertThat(show(connection, "jit")).isEqualTo("off");
				assertThat(show(connection, "plan_cache_mode")).isEqualTo("force_generic_plan");
			}
			assertThat(application.getMaximumPoolSize()).isEqualTo(1);
			assertThat(application.getPoolName()).isNotEqualTo("workhorse");
		}
	}

	@Test
	void poolIsDerivedFromTheDriversDataSourceAndThroughAProxy() throws Exception {
		PGSimpleDataSource driver = new PGSimpleDataSource();
		driver.setUrl(database.jdbcUrl());
		assertConnects(driver);
		assertConnects(new LazyConnectionDataSourceProxy(database.dataSource()));
	}

	@Test
	void derivingDoesNotConnect() {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setJdbcUrl("jdbc:postgresql://localhost:1/nowhere");
			application.setConnectionTimeout(250);
			WorkerConnections connections = WorkerConnections.of(application, worker(true, 5));
			assertThat(connections.dataSource()).isNotSameAs(application);
			connections.close();
		}
	}

	@Test
	void dataSourceOfAnUnknownKindIsShared(CapturedOutput output) {
		DataSource unknown = new AbstractDataSource() {

			@Override
			public Connection getConnection() {
				throw new UnsupportedOperationException();
			}

			@Override
			public Connection getConnection(String username, String password) {
				throw new UnsupportedOperationException();
			}

		};
		assertThat(WorkerConnections.of(unknown, worker(true, 5)).dataSource()).isSameAs(unknown);
		assertThat(output).containsOnlyOnce("Cannot derive connections of the worker's own");
	}

	@Test
	void routingDataSourceIsShared() {
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return "one";
			}

		};
		routing.setTargetDataSources(Map.of("one", database.dataSource()));
		routing.afterPropertiesSet();
		assertThat(WorkerConnections.of(routing, worker(true, 5)).dataSource()).isSameAs(routing);
	}

	@Test
	void nodeWithoutAWorkerKeepsNoConnectionOpen() {
		try (WorkerConnections connections = WorkerConnections.of(database.dataSource(), worker(false, 5))) {
			HikariDataSource pool = (HikariDataSource) connections.dataSource();
			assertThat(pool.getMinimumIdle()).isZero();
			assertThat(pool.getMaximumPoolSize()).isEqualTo(1);
		}
	}

	@Test
	void poolCanBeSharedByChoice() {
		assertThat(WorkerConnections.of(database.dataSource(), worker(true, 0)).dataSource())
			.isSameAs(database.dataSource());
	}

	@Test
	void sizeOutOfBoundsIsRefused() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> WorkerConnections.of(database.dataSource(), worker(true, 1)))
			.withMessageContaining("workhorse.worker.connections");
	}

	@Test
	void jobsRunWhileTheApplicationHoldsEveryConnectionOfItsPool() {
		TestJobStore.application(database)
			.withPropertyValues("spring.datasource.hikari.maximum-pool-size=2",
					"spring.datasource.hikari.connection-timeout=5000")
			.withUserConfiguration(Handler.class)
			.run((context) -> {
				DataSource dataSource = context.getBean(DataSource.class);
				UUID id = context.getBean(Queue.class).enqueue("own", null);
				List<Connection> held = new ArrayList<>();
				held.add(dataSource.getConnection());
				// the other one is for looking
				assertThat(TestJobStore.awaitFinished(context, id).state()).isEqualTo(JobState.SUCCEEDED);
				held.add(dataSource.getConnection());
				for (Connection connection : held) {
					connection.close();
				}
			});
	}

	@Test
	void poolIsNoBeanAndIsClosedWithTheContext() {
		List<HikariDataSource> pools = new ArrayList<>();
		TestJobStore.application(database).run((context) -> {
			assertThat(context).hasSingleBean(DataSource.class);
			pools.add((HikariDataSource) context.getBean(WorkerConnections.class).dataSource());
			assertThat(pools.get(0).isClosed()).isFalse();
		});
		assertThat(pools.get(0).isClosed()).isTrue();
	}

	private static void assertConnects(DataSource application) throws Exception {
		try (WorkerConnections connections = WorkerConnections.of(application, worker(true, 5));
				Connection connection = connections.dataSource().getConnection()) {
			assertThat(connections.dataSource()).isInstanceOf(HikariDataSource.class).isNotSameAs(application);
			assertThat(show(connection, "enable_seqscan")).isEqualTo("off");
		}
	}

	private static String show(Connection connection, String setting) throws Exception {
		try (Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("show " + setting)) {
			result.next();
			return result.getString(1);
		}
	}

	private static WorkhorseProperties.Worker worker(boolean enabled, int connections) {
		return new WorkhorseProperties.Worker(enabled, null, Map.of(), Duration.ofSeconds(30), Duration.ofSeconds(1),
				Duration.ofSeconds(30), connections);
	}

	@Configuration(proxyBeanMethods = false)
	static class Handler {

		@JobHandler("own")
		void handle() {
		}

	}

}
