package dev.workhorse.testsupport;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TcpProxy}.
 */
class TcpProxyIntegrationTests {

	private static final TestDatabase database = TestDatabase.create("proxy",
			(dataSource) -> new JdbcTemplate(dataSource).execute("create table note (text text)"));

	private final TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void cutsConnectionsAndAcceptsNewOnes() throws SQLException {
		try (TcpProxy closing = this.proxy; Connection connection = connect()) {
			execute(connection, "select 1");
			assertThat(closing.cut()).isEqualTo(1);
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> execute(connection, "select 1"));
			try (Connection next = connect()) {
				execute(next, "select 1");
			}
		}
	}

	@Test
	void refusesUntilItHeals() throws SQLException {
		try (TcpProxy closing = this.proxy) {
			closing.refuse();
			assertThatExceptionOfType(SQLException.class).isThrownBy(this::connect);
			closing.heal();
			connect().close();
		}
	}

	@Test
	void stallHoldsBackAndHealLetsGo() throws Exception {
		try (TcpProxy closing = this.proxy; Connection connection = connect()) {
			closing.stall();
			CompletableFuture<Void> statement = CompletableFuture
				.runAsync(() -> execute(connection, "insert into note values ('stalled')"));
			assertThat(statement).isNotDone();
			assertThat(notes("stalled")).isZero();
			closing.heal();
			statement.join();
			assertThat(notes("stalled")).isEqualTo(1);
		}
	}

	@Test
	void muteLosesTheAnswerNotTheRequest() throws Exception {
		try (TcpProxy closing = this.proxy; Connection connection = connect()) {
			closing.mute();
			CompletableFuture<Void> statement = CompletableFuture
				.runAsync(() -> execute(connection, "insert into note values ('muted')"));
			Await.until("the insert", () -> notes("muted") == 1);
			assertThat(statement).isNotDone();
			closing.heal();
			assertThat(statement).failsWithin(Await.DEFAULT_TIMEOUT);
		}
	}

	private Connection connect() throws SQLException {
		return DriverManager.getConnection(this.proxy.jdbcUrl(database.jdbcUrl()));
	}

	private static void execute(Connection connection, String sql) {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw sneaky(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> RuntimeException sneaky(Throwable ex) throws E {
		throw (E) ex;
	}

	private static long notes(String text) {
		Long count = new JdbcTemplate(database.dataSource()).queryForObject("select count(*) from note where text = ?",
				Long.class, text);
		return (count != null) ? count : -1;
	}

}
