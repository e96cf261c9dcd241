package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.internal.event.EventSettings;
import dev.workhorse.internal.event.PostgresEvents;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.observation.Interceptors;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler of five steps whose process is killed with {@code kill -9} between any two of
 * its lines: each step takes effect once.
 */
class StepsUnderKillIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final int PLACES = 7;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void everyStepTakesEffectOnceWhereverTheProcessIsKilled() {
		database.jdbc().execute("create table kill (place text primary key)");
		database.jdbc().execute("create table effect (name text not null)");
		Jobs jobs = database.builder().build().jobs();
		UUID job = database.queue().enqueue("steps", "x");
		for (int kills = 1; kills <= PLACES; kills++) {
			try (ChildJvm worker = start()) {
				if (kills == PLACES - 1) {
					Await.until("the wait for the event", PATIENCE,
							() -> database.count("job_wait where kind = 'event'") == 1);
					emit();
				}
				assertThat(worker.exitCode(PATIENCE)).isEqualTo(137);
				assertThat(database.jdbc().queryForObject("select count(*) from kill", Integer.class)).isEqualTo(kills);
			}
		}
		try (ChildJvm worker = start()) {
			JobDetails done = Await.value("the end", PATIENCE, () -> jobs.find(job).orElseThrow(),
					(found) -> found.state() == JobState.SUCCEEDED);
			assertThat(done.result()).isEqualTo("\"charged grown yes\"");
			assertThat(done.attempt()).isEqualTo(PLACES + 1);
			assertThat(worker.isAlive()).isTrue();
		}
		assertThat(database.jdbc().queryForList("select name from effect", String.class))
			.containsExactlyInAnyOrder("charge", "child", "last");
		assertThat(database.count("job where parent_id is not null")).isOne();
	}

	private static void emit() {
		new PostgresEvents(new CallerTransaction(database.dataSource()), "workhorse", EventSettings.DEFAULTS,
				new Jackson2PayloadCodec(), new KeyHasher(null), new WakeUps(), new WorkhorseListener() {
				}, new Interceptors(List.of()))
			.emit("go", Map.of("said", "yes"), EmitOptions.defaults());
	}

	private static ChildJvm start() {
		return ChildJvm.of(StepsWorker.class)
			.jvmArgs("-Xmx256m", "-XX:TieredStopAtLevel=1")
			.args(database.database().jdbcUrl())
			.start();
	}

}
