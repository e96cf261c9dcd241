-- Makes a scheduled job ready, and a suspended one, which ends its sleep; a debounced one gives up its key, since its
-- window is no longer what decides. Locks the job, then its run. Indexes: job_pk, job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
locked as materialized (
  select job.id, job.key_mode
  from workhorse.job
  where job.id = :id
  for no key update
),
moved as (
  update workhorse.job_run
  set state = 'ready',
      run_at = moment.at
  from locked
  cross join moment
  where job_run.job_id = locked.id
    and job_run.state in ('scheduled', 'waiting')
  returning job_run.job_id, job_run.queue
),
freed as (
  update workhorse.job
  set key_hash = null
  from moved
  where job.id = moved.job_id
    and job.key_mode in ('debounce', 'debounce-slot')
    and job.key_hash is not null
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select moved.job_id, moment.at, 'run-now', cast(:details as jsonb)
  from moved
  cross join moment
)
select queue from moved
