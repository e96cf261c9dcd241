-- Makes jobs whose lease is over ready again, and raises their fence so that the old attempt can write nothing more. A
-- job that somebody asked to be cancelled ends instead, and its parent and children are left to a follow-up. Looks at
-- the lease once more under the lock: it may have been renewed or settled. Index: job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
held as materialized (
  select job_run.job_id, job_run.attempt, job_run.worker, job_run.started_at, job_run.cancel_request
  from unnest(cast(:job_ids as uuid[]), cast(:fences as bigint[])) as lease (job_id, fence)
  cross join moment
  join workhorse.job_run
    on job_run.job_id = lease.job_id
    and job_run.fence = lease.fence
    and job_run.state = 'running'
    and job_run.lease_until < moment.at
  order by job_run.job_id
  for no key update of job_run skip locked
),
recovered as (
  update workhorse.job_run
  set state = 'ready',
      fence = fence + 1,
      suspended = false,
      worker = null,
      started_at = null,
      lease_until = null
  from held
  where job_run.job_id = held.job_id
    and held.cancel_request is null
  returning job_run.job_id, job_run.queue
),
cancelled as (
  delete from workhorse.job_run
  using held
  where job_run.job_id = held.job_id
    and held.cancel_request is not null
  returning job_run.job_id
),
outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, error, started_at, finished_at)
  select held.job_id, 'cancelled', held.attempt, held.cancel_request, held.started_at, moment.at
  from cancelled
  join held on held.job_id = cancelled.job_id
  cross join moment
),
follow_up as (
  insert into workhorse.follow_up (job_id, kind)
  select job.parent_id, 'wake'
  from cancelled
  join workhorse.job on job.id = cancelled.job_id
  where job.parent_id is not null
),
event as (
  insert into workhorse.job_event (job_id, at, kind, attempt, details)
  select held.job_id, moment.at, 'lease-expired', held.attempt, jsonb_build_object('worker', held.worker)
  from (
    select job_id from recovered
    union all
    select job_id from cancelled
  ) as taken
  join held on held.job_id = taken.job_id
  cross join moment
)
select job_id, queue from recovered
