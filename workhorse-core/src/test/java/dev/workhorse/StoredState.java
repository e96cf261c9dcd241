package dev.workhorse;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The states a job can be in, each reached by SQL alone.
 */
enum StoredState {

	READY("select 1 where cast(? as uuid) is not null"),

	SCHEDULED("""
			update workhorse.job_run set state = 'scheduled', run_at = workhorse.clock() + interval '1 hour'
			where job_id = ?
			returning 1
			"""),

	RUNNING("""
			update workhorse.job_run
			set state = 'running', attempt = 1, fence = 1, worker = gen_random_uuid(), started_at = workhorse.clock(),
			    lease_until = workhorse.clock() + interval '1 minute'
			where job_id = ?
			returning 1
			"""),

	IN_RETRY_BACKOFF("""
			update workhorse.job_run
			set state = 'scheduled', attempt = 1, fence = 1, run_at = workhorse.clock() + interval '1 minute'
			where job_id = ?
			returning 1
			"""),

	WAITING("""
			with wait as (
			  insert into workhorse.job_wait (job_id, name, kind, seq, fence, since, until)
			  select id, 'nap', 'sleep', 1, 1, workhorse.clock(), workhorse.clock() + interval '1 hour'
			  from workhorse.job
			  where id = cast(? as uuid)
			  returning job_id, until
			)
			update workhorse.job_run
			set state = 'waiting', attempt = 1, fence = 1, suspended = true, run_at = wait.until
			from wait
			where job_run.job_id = wait.job_id
			returning 1
			"""),

	SUCCEEDED(finished("succeeded")),

	FAILED(finished("failed")),

	CANCELLED(finished("cancelled"));

	private final String sql;

	StoredState(String sql) {
		this.sql = sql;
	}

	private static String finished(String state) {
		return """
				with run as (delete from workhorse.job_run where job_id = ? returning job_id)
				insert into workhorse.job_outcome (job_id, state, attempt, started_at, finished_at)
				select job_id, '%s', 1, workhorse.clock(), workhorse.clock() from run
				returning 1
				""".formatted(state);
	}

	/**
	 * Brings a job that was just accepted into this state.
	 */
	void bringAbout(JdbcTemplate jdbc, UUID job) {
		jdbc.queryForObject(this.sql, Integer.class, job);
	}

}
