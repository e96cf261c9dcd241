package dev.workhorse.chaos;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import dev.workhorse.handler.JobContext;
import dev.workhorse.internal.worker.Fences;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What handlers did, a row for each run: an effect on the world that stays, whatever
 * becomes of the attempt.
 */
final class Effects {

	private static final String DUPLICATES = """
			select format('job %s, %s: %s', job_id, 'attempt ' || attempt || ', fence ' || fence, array_agg(node))
			from effect
			group by job_id, attempt, fence
			having count(*) > 1
			union all
			select format('job %s ran several times with one fence or attempt', job_id)
			from effect
			group by job_id
			having count(*) <> count(distinct fence) or count(*) <> count(distinct attempt)
			""";

	private static final String NOT_THE_LAST = """
			select format('job %s: attempt %s is stored with the result of %s', job_outcome.job_id, job_outcome.attempt,
			  coalesce(accepted.attempt::text, 'no run'))
			from workhorse.job_outcome
			left join effect as accepted
			  on accepted.job_id = job_outcome.job_id and accepted.run::text = job_outcome.result #>> '{}'
			where accepted.attempt is distinct from job_outcome.attempt
			   or accepted.fence < (select max(fence) from effect where effect.job_id = job_outcome.job_id)
			""";

	private final JdbcTemplate jdbc;

	Effects(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
	}

	static void createTables(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create table effect (run uuid primary key, job_id uuid not null, attempt integer not null,"
				+ " fence bigint not null, node text not null)");
		jdbc.execute("create index on effect (job_id)");
		jdbc.execute("create table purchase (job_id uuid primary key)");
	}

	/**
	 * Note that a handler runs.
	 * @return names this run
	 */
	UUID record(JobContext context, String node) {
		UUID run = UUID.randomUUID();
		this.jdbc.update("insert into effect (run, job_id, attempt, fence, node) values (?, ?, ?, ?, ?)", run,
				context.jobId(), context.attempt(), Fences.of(context), node);
		return run;
	}

	int count() {
		Integer count = this.jdbc.queryForObject("select count(*) from effect", Integer.class);
		return (count != null) ? count : -1;
	}

	/**
	 * No claim was run by two handlers, and the result that counts is the one of the
	 * claim with the highest fence.
	 */
	void checkFences() {
		assertThat(this.jdbc.queryForList(DUPLICATES, String.class)).as("runs of one claim").isEmpty();
		List<String> stale = this.jdbc.queryForList(NOT_THE_LAST, String.class);
		assertThat(stale).as("results that are not of the last claim").isEmpty();
	}

}
