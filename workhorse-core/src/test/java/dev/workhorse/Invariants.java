package dev.workhorse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds in the tables after every commit, instead of foreign keys. Each query reads
 * one snapshot, so the check may run beside workers.
 */
public final class Invariants {

	private static final Map<String, String> VIOLATIONS = new LinkedHashMap<>();

	static {
		VIOLATIONS.put("every job has exactly one of job_run and job_outcome", """
				select coalesce(job.id, job_run.job_id, job_outcome.job_id)
				from workhorse.job
				full join workhorse.job_run on job_run.job_id = job.id
				full join workhorse.job_outcome on job_outcome.job_id = coalesce(job.id, job_run.job_id)
				where job.id is null
				   or (job_run.job_id is null) = (job_outcome.job_id is null)
				""");
		VIOLATIONS.put("no event without its job, but for the note that it was purged", """
				select job_event.job_id
				from workhorse.job_event
				where job_event.kind <> 'purged'
				  and not exists (select from workhorse.job where job.id = job_event.job_id)
				""");
		VIOLATIONS.put("no checkpoint, wait or progress without its job", """
				select step.job_id
				from (
				  select job_id from workhorse.checkpoint
				  union all
				  select job_id from workhorse.job_wait
				  union all
				  select job_id from workhorse.job_progress
				) as step
				where not exists (select from workhorse.job where job.id = step.job_id)
				""");
		VIOLATIONS.put("a waiting job was suspended, and knows what it waits for", """
				select job_id
				from workhorse.job_run
				where state = 'waiting'
				  and (
				    not suspended
				    or not exists (
				      select from workhorse.job_wait
				      where job_wait.job_id = job_run.job_id and job_wait.fence = job_run.fence
				    )
				  )
				""");
		VIOLATIONS.put("a waiting job has something left to wait for, or a follow-up, or is due", """
				select job_id
				from workhorse.job_run
				where state = 'waiting'
				  and run_at > workhorse.clock()
				  and not exists (select from workhorse.follow_up where follow_up.job_id = job_run.job_id)
				  and not exists (
				    select from workhorse.job_wait
				    where job_wait.job_id = job_run.job_id
				      and job_wait.fence = job_run.fence
				      and job_wait.ended_at is null
				      and (
				        job_wait.kind <> 'child'
				        or exists (select from workhorse.job_run as child where child.job_id = job_wait.child_id)
				      )
				  )
				""");
		VIOLATIONS.put("a job's numbers are within their bounds", """
				select id from workhorse.job where not (priority between 0 and 100 and max_attempts between 1 and 100)
				""");
		VIOLATIONS.put("a key has all that its mode needs and nothing else", """
				select id
				from workhorse.job
				cross join lateral (
				  select
				    key_mode in ('idempotency', 'debounce', 'throttle') as requested,
				    key_mode in ('debounce-slot', 'throttle-slot') as slot
				) as mode
				where key_hash is not null
				  and not coalesce(
				    octet_length(key_hash) = 32
				    and (mode.requested or mode.slot or key_mode = 'dedupe')
				    and (key_mode = 'dedupe') = (key_window_ms is null)
				    and (key_mode = 'dedupe') = (key_expires_at is null)
				    and mode.requested = (key_scope is not null)
				    and mode.requested = (key_fingerprint is not null)
				    and (mode.slot or key_preview is not null),
				    false
				  )
				""");
		VIOLATIONS.put("a child has a name, a depth and an end", """
				select id
				from workhorse.job
				where case
				  when child_name is null then parent_id is null and cancel_with_parent is null and depth is null
				  else cancel_with_parent is not null and depth > 0
				end is not true
				""");
		VIOLATIONS.put("a key has one owner", """
				select min(id::text)::uuid
				from workhorse.job
				where key_hash is not null
				group by key_hash
				having count(*) > 1
				""");
		VIOLATIONS.put("an event makes one job of a type, none of a subscriber it has not got to", """
				select min(job.id::text)
				from workhorse.job
				left join workhorse.event on event.id = cast(job.event ->> 'id' as uuid)
				where job.event is not null and job.redrive_of is null
				group by job.event ->> 'id', job.type
				having count(*) > 1
				   or bool_or(
				     event.id is not null and event.dispatched_at is null
				     and job.type > coalesce(event.dispatched_to, '')
				   )
				""");
		VIOLATIONS.put("a run belongs to the queue and type of its job", """
				select job.id
				from workhorse.job
				join workhorse.job_run on job_run.job_id = job.id
				where job_run.queue <> job.queue
				   or job_run.type <> job.type
				   or job_run.priority <> job.priority
				""");
		VIOLATIONS.put("the fence counts at least the attempts, and a running job has one", """
				select job_id
				from workhorse.job_run
				where attempt < 0
				   or fence < attempt
				   or (state = 'running' and attempt < 1)
				""");
		VIOLATIONS.put("an outcome other than a cancellation had an attempt, and ended after it began", """
				select job_id
				from workhorse.job_outcome
				where attempt < 0
				   or (state = 'succeeded' and attempt < 1)
				   or finished_at < started_at
				""");
	}

	private Invariants() {
	}

	/**
	 * Checks a database and fails naming the rule that is broken and the jobs that break
	 * it.
	 * @param dataSource the database
	 */
	public static void check(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		VIOLATIONS.forEach((rule, query) -> {
			List<String> violations = jdbc.queryForList(query, String.class);
			assertThat(violations).as(rule).isEmpty();
		});
		Boolean unique = jdbc.queryForObject("""
				select exists (
				  select from pg_index
				  where indexrelid = to_regclass('workhorse.job_key_hash_uq') and indisunique and indisvalid
				)
				""", Boolean.class);
		assertThat(unique).as("one owner per key is a unique index").isTrue();
	}

}
