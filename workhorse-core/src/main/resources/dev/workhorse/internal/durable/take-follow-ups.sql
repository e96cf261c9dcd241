-- Takes jobs that have ended and whose children are to be cancelled, a bounded number at a time; those that ended
-- well, or failed by themselves, are only crossed off. Passes over those another node has taken.
-- Indexes: follow_up_pk, job_run_pk, job_outcome_pk.
with taken as materialized (
  select follow_up.id
  from workhorse.follow_up
  where follow_up.kind = 'cancel-children'
    and not exists (select from workhorse.job_run where job_run.job_id = follow_up.job_id)
  order by follow_up.id
  limit :most
  for update skip locked
),
removed as (
  delete from workhorse.follow_up
  using taken
  where follow_up.id = taken.id
  returning follow_up.job_id
)
select distinct removed.job_id
from removed
left join workhorse.job_outcome on job_outcome.job_id = removed.job_id
where job_outcome.job_id is null
  or job_outcome.state = 'cancelled'
  or job_outcome.error ->> 'type' = 'superseded'
