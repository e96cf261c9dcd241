package dev.workhorse;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.workhorse.operations.JobState;
import dev.workhorse.operations.JobStatistics;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.QueueCount;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.testsupport.DatabaseClock;
import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StatisticsIntegrationTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private CoreDatabase database;

	private Queue queue;

	private Jobs jobs;

	@BeforeEach
	void createDatabase() {
		this.database = CoreDatabase.create();
		this.queue = this.database.queue();
		this.jobs = this.database.builder().build().jobs();
	}

	@AfterEach
	void closeDatabase() {
		this.database.close();
	}

	@Test
	void countJobsKeysAndWhatWaitsLongest() {
		DatabaseClock clock = this.database.clock();
		Instant before = clock.now();
		this.queue.enqueue("a", 1, EnqueueOptions.defaults().queue("mail").priority(1));
		clock.advance(Duration.ofSeconds(30));
		this.queue.enqueue("a", 1, EnqueueOptions.defaults().queue("mail").priority(9));
		this.queue.enqueue("b", 1, EnqueueOptions.defaults().runAt(Instant.parse("2099-01-01T00:00:00Z")));
		this.queue.enqueue("b", 1, EnqueueOptions.idempotencyKey("one key"));
		this.queue.enqueue("b", 1, EnqueueOptions.debounce(Debounce.reset("another key", MINUTE)));
		JobStatistics statistics = this.jobs.statistics(MINUTE);
		assertThat(statistics.jobs()).containsExactly(new QueueCount("default", JobState.READY, 1),
				new QueueCount("default", JobState.SCHEDULED, 2), new QueueCount("mail", JobState.READY, 2));
		assertThat(this.jobs.countLive()).isEqualTo(statistics.jobs());
		assertThat(statistics.keys()).isEqualTo(Map.of("idempotency", 1L, "debounce", 1L));
		assertThat(statistics.unhandled()).containsExactly(new UnhandledType("default", "b", 1),
				new UnhandledType("mail", "a", 2));
		assertThat(statistics.oldestReady()).containsOnlyKeys("default", "mail");
		assertThat(statistics.oldestReady().get("mail")).isBetween(before, before.plusSeconds(20));
		assertThat(statistics.oldestReady().get("default")).isAfter(before.plusSeconds(25));
		assertThat(statistics.takenAt()).isAfter(before.plusSeconds(25));
	}

	@Test
	void areTakenOnceForAllNodesUntilTheyAreTooOld() {
		Jobs other = this.database.builder().build().jobs();
		JobStatistics taken = this.jobs.statistics(MINUTE);
		this.queue.enqueue("a", 1);
		assertThat(other.statistics(MINUTE)).isEqualTo(taken);
		this.database.clock().advance(MINUTE.plusSeconds(1));
		JobStatistics later = other.statistics(MINUTE);
		assertThat(later.jobs()).containsExactly(new QueueCount("default", JobState.READY, 1));
		assertThat(this.jobs.statistics(MINUTE)).isEqualTo(later);
	}

	@Test
	void nodesThatAskTogetherTakeThemOnce() throws Exception {
		List<JobStatistics> answers = Race.of(8).run(() -> this.jobs.statistics(MINUTE)).values();
		assertThat(answers).filteredOn((answer) -> !answer.takenAt().equals(Instant.EPOCH))
			.extracting(JobStatistics::takenAt)
			.isNotEmpty()
			.containsOnly(this.jobs.statistics(MINUTE).takenAt());
	}

}
