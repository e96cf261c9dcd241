-- Tells how children ended. A child that is neither live nor has an outcome was purged. Locks nothing.
-- Indexes: job_run_pk, job_outcome_pk.
select
  child.id,
  coalesce(job_outcome.state, job_run.state) as state, cast(job_outcome.result as text) as result,
  job_outcome.error ->> 'type' as error_type,
  coalesce(job_outcome.error ->> 'message', job_outcome.error ->> 'reason') as error_message
from unnest(cast(:ids as uuid[])) as child (id)
left join workhorse.job_run on job_run.job_id = child.id
left join workhorse.job_outcome on job_outcome.job_id = child.id
