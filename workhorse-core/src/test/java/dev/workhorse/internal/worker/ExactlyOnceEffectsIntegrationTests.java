package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.workhorse.CoreDatabase;
import dev.workhorse.Queue;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many jobs, each of which writes one row, on nodes that are killed and paused all the
 * time. The table has no constraint: nothing but the transaction keeps a row from being
 * there twice, or not at all.
 */
class ExactlyOnceEffectsIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final int JOBS = Integer.getInteger("workhorse.test.exactly-once.jobs", 2_000);

	private static final int BLOWS = 20;

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final List<ChildJvm> children = new ArrayList<>();

	@AfterEach
	void endChildren() {
		this.children.forEach(ChildJvm::close);
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void everyJobTakesEffectOnceWhateverHappensToItsNodes() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		System.out.println("seed " + seed);
		database.jdbc().execute("create table effect (job_id uuid not null, backend int not null)");
		Queue queue = database.queue();
		database.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < JOBS; i++) {
				queue.enqueue("effect", i);
			}
		});
		this.children.add(start());
		this.children.add(start());
		for (int blow = 1; blow <= BLOWS; blow++) {
			long reached = (long) JOBS * blow / (BLOWS + 1) + random.nextInt(JOBS / BLOWS / 2);
			Await.until(reached + " jobs", PATIENCE, () -> database.count("job_outcome") >= reached);
			strike(random);
		}
		Await.until("all jobs", PATIENCE, () -> database.count("job_run") == 0);
		assertThat(database.count("job_outcome where state = 'succeeded'")).isEqualTo(JOBS);
		assertThat(count("select count(distinct job_id) from effect")).as("jobs that took effect").isEqualTo(JOBS);
		assertThat(count("select count(*) from effect")).as("effects").isEqualTo(JOBS);
		assertThat(database.count("job_event where kind = 'lease-expired'")).as("attempts that were cut off")
			.isGreaterThan(BLOWS / 2);
	}

	private void strike(Random random) {
		int victim = random.nextInt(this.children.size());
		ChildJvm child = this.children.get(victim);
		if (random.nextInt(4) > 0) {
			child.close();
			this.children.set(victim, start());
			return;
		}
		// comes back as a zombie, after the others have begun its jobs again
		child.pause();
		Nodes.pass(LEASE.multipliedBy(2));
		child.resume();
	}

	private static ChildJvm start() {
		return ChildJvm.of(EffectsWorker.class)
			.jvmArgs("-Xmx256m", "-XX:TieredStopAtLevel=1")
			.args(database.database().jdbcUrl(), Long.toString(LEASE.toMillis()))
			.start();
	}

	private static long count(String query) {
		Long count = database.jdbc().queryForObject(query, Long.class);
		return (count != null) ? count : -1;
	}

}
