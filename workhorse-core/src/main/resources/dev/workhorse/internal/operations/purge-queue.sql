-- Removes waiting jobs of a queue with the keys they hold and their history, a bounded number at a time, and notes who
-- did so and why. Locks jobs, then their runs, and passes over those that others hold.
-- Indexes: job_run_ready_idx, job_pk.
with moment as materialized (
  select workhorse.clock() as at
),
chosen as materialized (
  select job.id
  from workhorse.job_run
  join workhorse.job on job.id = job_run.job_id
  where job_run.queue = :queue
    and job_run.state in ('scheduled', 'ready')
  limit :most
  for update of job skip locked
),
removed as (
  delete from workhorse.job_run
  using chosen
  where job_run.job_id = chosen.id
    and job_run.state in ('scheduled', 'ready')
  returning job_run.job_id
),
job as (
  delete from workhorse.job
  using removed
  where job.id = removed.job_id
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
