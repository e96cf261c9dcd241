-- Removes waiting and suspended jobs of a queue with the keys they hold, their steps and their history, a bounded
-- number at a time, and notes who did so and why. Their parents and children are left to a follow-up. Locks jobs, then
-- their runs, and passes over those that others hold. Indexes: job_run_ready_idx, job_pk.
with moment as materialized (
  select workhorse.clock() as at
),
chosen as materialized (
  select job.id, job.parent_id
  from workhorse.job_run
  join workhorse.job on job.id = job_run.job_id
  where job_run.queue = :queue
    and job_run.state in ('scheduled', 'ready', 'waiting')
  limit :most
  for update of job skip locked
),
removed as (
  delete from workhorse.job_run
  using chosen
  where job_run.job_id = chosen.id
    and job_run.state in ('scheduled', 'ready', 'waiting')
  returning job_run.job_id
),
job as (
  delete from workhorse.job
  using removed
  where job.id = removed.job_id
),
checkpoint as (
  delete from workhorse.checkpoint
  using removed
  where checkpoint.job_id = removed.job_id
),
wait as (
  delete from workhorse.job_wait
  using removed
  where job_wait.job_id = removed.job_id
),
progress as (
  delete from workhorse.job_progress
  using removed
  where job_progress.job_id = removed.job_id
),
follow_up as (
  insert into workhorse.follow_up (job_id, kind)
  select chosen.parent_id, 'wake'
  from removed
  join chosen on chosen.id = removed.job_id
  where chosen.parent_id is not null
  union all
  select removed.job_id, 'cancel-children'
  from removed
  where exists (
    select
    from workhorse.job as child
    where child.parent_id = removed.job_id
      and child.cancel_with_parent
  )
),
old_event as (
  delete from workhorse.job_event
  using removed
  where job_event.job_id = removed.job_id
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select removed.job_id, moment.at, 'purged', cast(:details as jsonb)
  from removed
  cross join moment
)
select count(*) from removed
