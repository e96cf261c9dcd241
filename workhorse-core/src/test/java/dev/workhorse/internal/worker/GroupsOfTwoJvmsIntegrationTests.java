package dev.workhorse.internal.worker;

import java.util.List;

import dev.workhorse.CoreDatabase;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs of one concurrency key on two JVMs with 64 threads, of which one JVM is killed.
 */
class GroupsOfTwoJvmsIntegrationTests {

	private static final int JOBS = 160;

	/** How many ran in a group, itself included, when a run of it began. */
	private static final String AT_ONCE = """
			select (
			  select count(*)
			  from run as other
			  where other.grp = run.grp
			    and other.began <= run.began
			    and coalesce(other.ended, killed.at) > run.began
			)
			from run
			cross join killed
			""";

	@Test
	void neverMoreThanTheLimitOfAGroupRunAndNoneIsStuckAfterACrash() {
		// G13 (rails/solid_queue#689, #476)
		try (CoreDatabase database = CoreDatabase.create()) {
			database.jdbc()
				.execute("create table run (id bigint generated always as identity, grp text not null,"
						+ " node text not null, began timestamptz not null, ended timestamptz)");
			database.jdbc().execute("create table killed (at timestamptz not null)");
			Queue queue = database.queue();
			try (ChildJvm victim = start(database, "victim"); ChildJvm survivor = start(database, "survivor")) {
				victim.awaitLine("working", Nodes.PATIENCE);
				survivor.awaitLine("working", Nodes.PATIENCE);
				for (int i = 0; i < JOBS; i++) {
					String group = "group-" + i % 6;
					queue.enqueue("grouped", group,
							EnqueueOptions.defaults().queue(GroupWorker.QUEUE).concurrencyKey(group));
				}
				Await.until("both run", Nodes.PATIENCE, () -> nodes(database).size() == 2);
				victim.kill9();
				database.jdbc().update("insert into killed values (clock_timestamp())");
				Await.until("all have ended", Nodes.PATIENCE, () -> database.count("job_run") == 0);
			}
			assertThat(database.count("job_outcome where state = 'succeeded'")).isEqualTo(JOBS);
			List<Integer> atOnce = database.jdbc().queryForList(AT_ONCE, Integer.class);
			assertThat(atOnce).hasSizeGreaterThanOrEqualTo(JOBS).allMatch((jobs) -> jobs <= GroupWorker.LIMIT);
			assertThat(atOnce).as("runs beside another").contains(GroupWorker.LIMIT);
		}
	}

	private static List<String> nodes(CoreDatabase database) {
		return database.jdbc().queryForList("select distinct node from run", String.class);
	}

	private static ChildJvm start(CoreDatabase database, String name) {
		return ChildJvm.of(GroupWorker.class).args(database.database().jdbcUrl(), name).start();
	}

}
