-- Makes jobs whose lease is over ready again, and raises their fence so that the old attempt can write nothing more. A
-- job that somebody asked to be cancelled ends instead, and its parent and children are left to a follow-up. Looks at
-- the lease once more under the lock: it may have been renewed or settled. Index: job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
held as materialized (
  select run.*
  from (
    select *
    from unnest(cast(:job_ids as uuid[]), cast(:fences as bigint[])) as row (job_id, fence)
    order by row.job_id
  ) as given
  cross join moment
  cross join lateral (
    select
      job_run.ctid as place, job_run.job_id, job_run.attempt, job_run.worker, job_run.started_at,
      job_run.cancel_request
    from workhorse.job_run
    where job_run.job_id = given.job_id
      and job_run.fence = given.fence
      and job_run.worker is not null
      and job_run.lease_until < moment.at
    for no key update skip locked
  ) as run
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
  where job_run.ctid = held.place
    and held.cancel_request is null
  returning job_run.queue, held.*
),
cancelled as (
  delete from workhorse.job_run
  using held
  where job_run.ctid = held.place
    and held.cancel_request is not null
  returning job_run.queue, held.*
),
outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, error, started_at, finished_at)
  select
    cancelled.job_id, 'cancelled', cancelled.attempt, cancelled.cancel_request, cancelled.started_at, moment.at
  from cancelled
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
  select taken.job_id, moment.at, 'lease-expired', taken.attempt, jsonb_build_object('worker', taken.worker)
  from (
    select * from recovered
    union all
    select * from cancelled
  ) as taken
  cross join moment
)
select job_id, queue from recovered
