-- Cancels the children of jobs that were cancelled or superseded, where the parent asked for that: waiting ones at
-- once, running ones by a request to their handlers. Passes over locked rows and leaves their parents to a follow-up,
-- so that it never waits. Answers with the children that ended, whose own children are next. Locks runs in the order
-- of their ids. Indexes: job_child_uq, job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
child as materialized (
  select
    job.id, job.parent_id,
    jsonb_build_object(
      'by', 'workhorse', 'reason', 'with its parent ' || job.parent_id, 'interrupt', false
    ) as details
  from workhorse.job
  join workhorse.job_run on job_run.job_id = job.id
  where job.parent_id = any (:ids)
    and job.cancel_with_parent
),
held as materialized (
  select child.id, child.details, job_run.state
  from child
  join workhorse.job_run on job_run.job_id = child.id
  order by child.id
  for no key update of job_run skip locked
),
removed as (
  delete from workhorse.job_run
  using held
  where job_run.job_id = held.id
    and held.state <> 'running'
  returning job_run.job_id, job_run.attempt
),
outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, error, finished_at)
  select removed.job_id, 'cancelled', removed.attempt, held.details, moment.at
  from removed
  join held on held.id = removed.job_id
  cross join moment
),
asked as (
  update workhorse.job_run
  set cancel_request = held.details
  from held
  where job_run.job_id = held.id
    and held.state = 'running'
    and job_run.cancel_request is null
  returning job_run.job_id
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select
    held.id, moment.at, case when held.state = 'running' then 'cancel-requested' else 'cancelled' end, held.details
  from (
    select removed.job_id from removed
    union all
    select asked.job_id from asked
  ) as told
  join held on held.id = told.job_id
  cross join moment
),
later as (
  insert into workhorse.follow_up (job_id, kind)
  select asked.job_id, 'cancel-children'
  from asked
  union all
  select distinct child.parent_id, 'cancel-children'
  from child
  where not exists (select from held where held.id = child.id)
)
select job_id from removed
