-- Counts finished jobs by state, each up to the given number. Locks nothing.
-- Indexes: job_outcome_finished_idx, job_outcome_kept_idx.
select states.state, (
  select count(*)
  from (
    (
      select
      from workhorse.job_outcome
      where job_outcome.state = states.state
        and job_outcome.keep_until is null
      limit :most
    )
    union all
    (
      select
      from workhorse.job_outcome
      where job_outcome.state = states.state
        and job_outcome.keep_until is not null
      limit :most
    )
    limit :most
  ) as finished
) as jobs
from unnest(array['succeeded', 'failed', 'cancelled']) as states (state)
