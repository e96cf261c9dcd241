package dev.workhorse;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.workhorse.operations.JobFilter;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.JobSummary;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.operations.Page;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JobListsIntegrationTests {

	private static final CoreDatabase database = CoreDatabase.create();

	private final Jobs jobs = database.builder().build().jobs();

	private final Queue queue = database.queue();

	private final String type = UUID.randomUUID().toString();

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void pagesCoverAllJobsOfAFilterTheLatestFirst() {
		List<UUID> ids = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			ids.add(this.queue.enqueue(this.type, i));
			this.queue.enqueue("another type", i);
		}
		Collections.reverse(ids);
		for (JobFilter filter : List.of(ofType(), ofType().in(JobState.READY))) {
			assertThat(all((after) -> this.jobs.list(filter, after, 3))).extracting(JobSummary::id)
				.containsExactlyElementsOf(ids);
		}
	}

	@Test
	void filtersNarrow() {
		UUID mail = this.queue.enqueue(this.type, 1, EnqueueOptions.defaults().queue("mail").tags("a", "b"));
		UUID later = this.queue.enqueue(this.type, 2,
				EnqueueOptions.defaults().runAt(Instant.parse("2099-01-01T00:00:00Z")));
		UUID cancelled = this.queue.enqueue(this.type, 3);
		this.jobs.cancel(cancelled, "ada", "not needed");
		assertThat(ids(ofType().inQueue("mail"))).containsExactly(mail);
		assertThat(ids(ofType().tagged("b"))).containsExactly(mail);
		assertThat(ids(ofType().tagged("b").in(JobState.READY))).containsExactly(mail);
		assertThat(ids(ofType().in(JobState.SCHEDULED))).containsExactly(later);
		assertThat(ids(ofType().in(JobState.CANCELLED))).containsExactly(cancelled);
		assertThat(ids(ofType().in(JobState.FAILED))).isEmpty();
		assertThat(ids(ofType())).containsExactly(cancelled, later, mail);
	}

	@Test
	void summaryTellsWhereAJobStands() {
		UUID id = this.queue.enqueue(this.type, 1, EnqueueOptions.defaults().priority(7).tags("x"));
		JobSummary waiting = this.jobs.list(ofType(), null, 10).items().get(0);
		assertThat(waiting.id()).isEqualTo(id);
		assertThat(waiting.state()).isEqualTo(JobState.READY);
		assertThat(waiting.priority()).isEqualTo(7);
		assertThat(waiting.attempt()).isZero();
		assertThat(waiting.tags()).containsExactly("x");
		assertThat(waiting.runAt()).isEqualTo(waiting.createdAt());
		assertThat(waiting.finishedAt()).isNull();
		this.jobs.cancel(id, "ada", "not needed");
		JobSummary finished = this.jobs.list(ofType(), null, 10).items().get(0);
		assertThat(finished.state()).isEqualTo(JobState.CANCELLED);
		assertThat(finished.runAt()).isNull();
		assertThat(finished.finishedAt()).isAfterOrEqualTo(finished.createdAt());
	}

	@Test
	void filterThatNothingPassesLooksAtABoundedNumberOfJobsAtATime() {
		UUID oldest = this.queue.enqueue(this.type, 0);
		database.jdbc().execute("""
				insert into workhorse.job (id, queue, type, payload, priority, max_attempts, retry_policy, created_at)
				select cast('ff000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0') as uuid), 'bulk', 'bulk', '1', 0, 25,
				  'polynomial', workhorse.clock()
				from generate_series(1, 10500) as i
				""");
		database.jdbc().execute("""
				insert into workhorse.job_run (job_id, queue, type, state, priority, run_at)
				select id, queue, type, 'ready', priority, created_at from workhorse.job where type = 'bulk'
				""");
		try {
			for (JobFilter filter : List.of(ofType(), ofType().in(JobState.READY))) {
				Page<JobSummary> first = this.jobs.list(filter, null, 10);
				assertThat(first.items()).isEmpty();
				assertThat(first.next()).isNotNull();
				assertThat(this.jobs.list(filter, first.next(), 10).items()).extracting(JobSummary::id)
					.containsExactly(oldest);
			}
		}
		finally {
			database.jdbc().execute("delete from workhorse.job_run where type = 'bulk'");
			database.jdbc().execute("delete from workhorse.job where type = 'bulk'");
		}
	}

	@Test
	void keysOfAScopeAreListedPageByPage() {
		List<UUID> ids = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			ids.add(this.queue.enqueue(this.type, i,
					EnqueueOptions.idempotency(Idempotency.key("key number " + i).scope(this.type))));
			this.queue.enqueue(this.type, i, EnqueueOptions.idempotencyKey("elsewhere " + this.type + i));
		}
		Collections.reverse(ids);
		List<LiveKey> keys = all((after) -> this.jobs.liveKeys(this.type, after, 2));
		assertThat(keys).extracting(LiveKey::jobId).containsExactlyElementsOf(ids);
		assertThat(keys).extracting(LiveKey::scope).containsOnly(this.type);
		assertThat(all((after) -> this.jobs.liveKeys(null, after, 3)).stream().map(LiveKey::jobId)).containsAll(ids);
	}

	@Test
	void keyIsReleasedByItsJobOrItsDigest() {
		EnqueueOptions options = EnqueueOptions.idempotency(Idempotency.key("a secret key").scope(this.type));
		UUID first = this.queue.enqueue(this.type, 1, options);
		assertThat(this.jobs.releaseKeyOf(first, "ada", "typo")).isTrue();
		assertThat(this.jobs.releaseKeyOf(first, "ada", "typo")).isFalse();
		UUID second = this.queue.enqueue(this.type, 1, options);
		assertThat(second).isNotEqualTo(first);
		String digest = this.jobs.liveKeys(this.type, null, 1).items().get(0).digest();
		assertThat(this.jobs.releaseDigest("default", digest, "ada", "typo")).isFalse();
		assertThat(this.jobs.releaseDigest(this.type, "0".repeat(12), "ada", "typo")).isFalse();
		assertThat(this.jobs.releaseDigest(this.type, digest, "ada", "typo")).isTrue();
		assertThat(this.queue.enqueue(this.type, 1, options)).isNotEqualTo(second);
		assertThat(this.jobs.timeline(second)).last().satisfies((entry) -> {
			assertThat(entry.kind()).isEqualTo("key-released");
			assertThat(entry.by()).isEqualTo("ada");
			assertThat(entry.reason()).isEqualTo("typo");
		});
	}

	@Test
	void digestOfTwoKeysReleasesNeither() {
		for (int i = 0; i < 2; i++) {
			UUID id = this.queue.enqueue(this.type, i,
					EnqueueOptions.idempotency(Idempotency.key("twin key " + i).scope(this.type)));
			database.jdbc()
				.update("update workhorse.job set key_hash = decode(?, 'hex') where id = ?", "ab".repeat(31) + "0" + i,
						id);
		}
		assertThat(this.jobs.releaseDigest(this.type, "ab".repeat(6), "ada", "typo")).isFalse();
		assertThat(this.jobs.releaseDigest(this.type, "ab".repeat(31) + "01", "ada", "typo")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "not a cursor", "2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z_x" })
	void somethingElseThanTheNextOfAPageIsRefused(String after) {
		for (Function<String, Page<?>> list : List.<Function<String, Page<?>>>of(
				(next) -> this.jobs.list(JobFilter.all(), next, 1), (next) -> this.jobs.liveKeys(null, next, 1))) {
			assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> list.apply(after))
				.withMessageContaining("'after'");
		}
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.jobs.liveKeys(null, UUID.randomUUID().toString(), 1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1_001 })
	void lengthOfAPageIsBounded(int most) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.jobs.list(JobFilter.all(), null, most));
	}

	private JobFilter ofType() {
		return JobFilter.all().ofType(this.type);
	}

	private List<UUID> ids(JobFilter filter) {
		return this.jobs.list(filter, null, 10).items().stream().map(JobSummary::id).toList();
	}

	private static <T> List<T> all(Function<@Nullable String, Page<T>> list) {
		List<T> all = new ArrayList<>();
		Page<T> page = list.apply(null);
		all.addAll(page.items());
		while (page.next() != null) {
			page = list.apply(page.next());
			all.addAll(page.items());
		}
		return all;
	}

}
