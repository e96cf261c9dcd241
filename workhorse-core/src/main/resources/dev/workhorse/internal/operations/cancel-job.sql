-- Cancels a job that is waiting to run, or suspended, and frees its key if it never started, unless it is a dedupe
-- key; asks the handler of a running one to give up, unless somebody did so before. A parent that waits for it is left
-- to a follow-up. Locks the job, then its run; a claim at the same instant wins or loses as a whole. Keeps the job as
-- long as its handler says, if this node knows the handler. Indexes: job_pk, job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
locked as materialized (
  select job.id, job.parent_id
  from workhorse.job
  where job.id = :id
  for no key update
),
removed as (
  delete from workhorse.job_run
  using locked
  where job_run.job_id = locked.id
    and job_run.state in ('scheduled', 'ready', 'waiting')
  returning job_run.job_id, job_run.type, job_run.attempt, job_run.fence
),
outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, error, finished_at, keep_until)
  select
    removed.job_id, 'cancelled', removed.attempt, cast(:details as jsonb), moment.at,
    moment.at + make_interval(secs => handler.retention_ms / 1000.0)
  from removed
  cross join moment
  left join unnest(cast(:types as text[]), cast(:retentions_ms as bigint[])) as handler (type, retention_ms)
    on handler.type = removed.type
),
asked as (
  update workhorse.job_run
  set cancel_request = cast(:details as jsonb)
  from locked
  where job_run.job_id = locked.id
    and job_run.state = 'running'
    and job_run.cancel_request is null
  returning job_run.job_id, job_run.attempt
),
freed as (
  update workhorse.job
  set key_hash = null
  from removed
  where job.id = removed.job_id
    and removed.fence = 0
    and job.key_hash is not null
    and job.key_mode <> 'dedupe'
),
follow_up as (
  insert into workhorse.follow_up (job_id, kind)
  select locked.parent_id, 'wake'
  from removed
  join locked on locked.id = removed.job_id
  where locked.parent_id is not null
  union all
  select asked.job_id, 'cancel-children'
  from asked
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select removed.job_id, moment.at, 'cancelled', cast(:details as jsonb)
  from removed
  cross join moment
  union all
  select asked.job_id, moment.at, 'cancel-requested', cast(:details as jsonb)
  from asked
  cross join moment
)
select
  (select count(*) from removed) = 1 as cancelled,
  exists (select from workhorse.job_run where job_run.job_id = locked.id) as unfinished
from locked
