-- Counts finished jobs by state, each up to the given number. Locks nothing. Index: job_outcome_finished_idx.
select states.state, (
  select count(*)
  from (
    select
    from workhorse.job_outcome
    where job_outcome.state = states.state
    limit :most
  ) as finished
) as jobs
from unnest(array['succeeded', 'failed', 'cancelled']) as states (state)
