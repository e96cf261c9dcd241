package dev.workhorse.sample;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

class CrashIntegrationTests {

	private static final int DELIVERIES = 72;

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final String ACCEPTED = "select id from workhorse.job where type = 'github.delivery'";

	private static final String HANDLED = "select job_id from handled_deliveries";

	private static final String HANDLED_AGAIN = HANDLED + " group by job_id having count(*) > 1";

	@Test
	void nothingIsLostOrAcceptedTwiceWhenTheApplicationIsKilledHalfWay() throws Exception {
		try (TestDatabase database = RunningSample.emptyDatabase()) {
			JdbcClient jdbc = JdbcClient.create(database.dataSource());
			Set<UUID> cutOff = new HashSet<>();
			cutOff.addAll(killWhen("first delivery accepted", database, () -> !ids(jdbc, ACCEPTED).isEmpty()));
			Set<UUID> acceptedFirst = ids(jdbc, ACCEPTED);
			cutOff.addAll(killWhen("many deliveries handled", database, () -> ids(jdbc, HANDLED).size() >= 30));
			Set<UUID> acceptedBefore = ids(jdbc, ACCEPTED);
			assertThat(ids(jdbc, HANDLED)).as("killed while handling").hasSizeLessThan(DELIVERIES);
			assertThat(acceptedBefore).containsAll(acceptedFirst);
			try (ChildJvm last = start(database)) {
				String serving = last.awaitLine("Still serving on ", PATIENCE);
				Set<UUID> accepted = ids(jdbc, ACCEPTED);
				assertThat(accepted).as("one job for each delivery").hasSize(DELIVERIES).containsAll(acceptedBefore);
				assertThat(ids(jdbc, HANDLED)).as("nothing lost").isEqualTo(accepted);
				assertThat(ids(jdbc, HANDLED_AGAIN)).as("run again only if cut off").isSubsetOf(cutOff);
				assertThat(last.lines()).as("the others replayed")
					.anyMatch((line) -> line.matches(".* accepted +" + (DELIVERIES - acceptedBefore.size()) + " .*"));
				assertThat(jdbc.sql("select count(*) from captures").query(Long.class).single()).isOne();
				assertKeysAreRemembered(serving);
			}
		}
	}

	private static Set<UUID> killWhen(String description, TestDatabase database, BooleanSupplier moment) {
		try (ChildJvm sample = start(database)) {
			sample.awaitLine("Sending webhooks", PATIENCE);
			Await.until(description, PATIENCE, moment);
			sample.kill9();
			assertThat(sample.lines()).noneMatch((line) -> line.contains("What became of them"));
		}
		return ids(JdbcClient.create(database.dataSource()),
				"select job_id from workhorse.job_run where state = 'running'");
	}

	private static void assertKeysAreRemembered(String serving) throws Exception {
		String url = serving.replaceFirst(".*Still serving on (\\S+) .*", "$1");
		RunningSample.Response again = RunningSample.send(url + "/orders",
				"{\"orderId\": \"A-1001\", \"customer\": \"Ada\", \"amount\": 12.50}");
		assertThat(again.status()).isEqualTo(202);
		assertThat(again.text("outcome")).isEqualTo("replayed");
	}

	private static ChildJvm start(TestDatabase database) {
		List<String> arguments = RunningSample.arguments(database, "sample.handling-time=500ms",
				"workhorse.worker.lease=2s");
		return ChildJvm.of(SampleApplication.class)
			.jvmArgs("-Xmx256m", "-XX:TieredStopAtLevel=1")
			.args(arguments.toArray(String[]::new))
			.start();
	}

	private static Set<UUID> ids(JdbcClient jdbc, String sql) {
		return new HashSet<>(jdbc.sql(sql).query(UUID.class).list());
	}

}
