package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.workhorse.CoreDatabase;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.conductor.InvokeOutcome;
import dev.workhorse.conductor.InvokeRequest;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many executions, each of which writes one row, on nodes that are killed and paused all
 * the time, while some that run are superseded. The table has no constraint: nothing but
 * the transaction keeps a row from being there twice, or not at all.
 */
class ExactlyOnceEffectsIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private static final int JOBS = Integer.getInteger("workhorse.test.exactly-once.jobs", 2_000);

	private static final int BLOWS = 20;

	private static final int MOST_SUPERSEDED = JOBS / 10;

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
		Conductor conductor = database.builder().build().conductor();
		conductor
			.invokeAll(IntStream.range(0, JOBS / 2).mapToObj(ExactlyOnceEffectsIntegrationTests::execution).toList());
		conductor.invokeAll(
				IntStream.range(JOBS / 2, JOBS).mapToObj(ExactlyOnceEffectsIntegrationTests::execution).toList());
		CompletableFuture<Integer> superseding = CompletableFuture.supplyAsync(() -> supersede(conductor));
		this.children.add(start());
		this.children.add(start());
		int cutOff = 0;
		for (int blow = 1; blow <= BLOWS; blow++) {
			long reached = (long) JOBS * blow / (BLOWS + 1) + random.nextInt(JOBS / BLOWS / 2);
			Await.until(reached + " executions", PATIENCE,
					() -> database.count("job_outcome where state = 'succeeded'") >= reached);
			int victim = Await.value("a node at work", PATIENCE, () -> nodeAtWork(random),
					(found) -> found >= 0 || database.count("job_run") == 0);
			if (victim >= 0) {
				cutOff++;
				strike(victim, random);
			}
		}
		Await.until("all executions", PATIENCE, () -> database.count("job_run") == 0);
		int superseded = superseding.join();
		assertThat(superseded).as("superseded executions").isGreaterThan(MOST_SUPERSEDED / 4);
		assertThat(database.count("job_outcome where state = 'failed' and error ->> 'type' = 'superseded'"))
			.isEqualTo(superseded);
		assertThat(database.count("job_outcome")).isEqualTo(JOBS + superseded);
		assertThat(database.count("job_outcome where state = 'succeeded'")).isEqualTo(JOBS);
		assertThat(count("select count(distinct job_id) from effect")).as("executions that took effect")
			.isEqualTo(JOBS);
		assertThat(count("select count(*) from effect")).as("effects").isEqualTo(JOBS);
		assertThat(count(
				"select count(*) from effect join workhorse.job_outcome using (job_id) where state = 'succeeded'"))
			.as("effects of executions that were not superseded")
			.isEqualTo(JOBS);
		assertThat(cutOff).as("nodes that had attempts in hand when they were hit").isGreaterThan(BLOWS / 2);
		assertThat(database.count("job_event where kind = 'lease-expired'")).as("attempts that were taken over")
			.isPositive();
	}

	private static InvokeRequest execution(int number) {
		return new InvokeRequest("effect", number, InvokeOptions.dedupeKey("effect-" + number));
	}

	/** Reinvokes what runs at the moment, until enough is superseded or all is done. */
	private static int supersede(Conductor conductor) {
		int superseded = 0;
		while (superseded < MOST_SUPERSEDED && database.count("job_run") > 0) {
			List<InvokeRequest> running = database.jdbc().queryForList("""
					select cast(payload as int)
					from workhorse.job_run
					join workhorse.job on job.id = job_run.job_id
					where job_run.state = 'running'
					limit 2""", Integer.class).stream().map(ExactlyOnceEffectsIntegrationTests::execution).toList();
			superseded += (int) conductor.invokeAll(running)
				.stream()
				.filter((result) -> result.outcome() == InvokeOutcome.SUPERSEDED)
				.count();
		}
		return superseded;
	}

	/**
	 * One that has attempts in hand, whose node bears the id of its process as name; -1
	 * for none.
	 */
	private int nodeAtWork(Random random) {
		int first = random.nextInt(this.children.size());
		for (int i = 0; i < this.children.size(); i++) {
			int index = (first + i) % this.children.size();
			Long running = database.jdbc()
				.queryForObject(
						"select count(*) from workhorse.job_run join workhorse.worker on worker.id = job_run.worker "
								+ "where worker.name = ?",
						Long.class, Long.toString(this.children.get(index).pid()));
			if (running != null && running > 0) {
				return index;
			}
		}
		return -1;
	}

	private void strike(int victim, Random random) {
		ChildJvm child = this.children.get(victim);
		if (random.nextInt(8) > 0) {
			child.close();
			this.children.set(victim, start());
			return;
		}
		// comes back as a zombie, after the others have begun its jobs again
		child.pause();
		Nodes.pass(LEASE.plusMillis(500));
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
