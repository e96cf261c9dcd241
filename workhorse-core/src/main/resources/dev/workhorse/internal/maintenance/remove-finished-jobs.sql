-- Removes finished jobs of one state whose retention is over, that of the state or their handler's own, up to a bounded
-- number of either, with all that belongs to them. A job that a live key answers with stays, and so does a child whose
-- parent is live; one of the conductor takes its key along. Locks jobs, and passes over those that others hold.
-- Indexes: job_outcome_finished_idx, job_outcome_kept_idx.
with moment as materialized (
  select workhorse.clock() as at
),
finished as materialized (
  select job.id
  from workhorse.job_outcome
  join workhorse.job on job.id = job_outcome.job_id
  where job_outcome.state = :state
    and job_outcome.keep_until is null
    and job_outcome.finished_at < (select moment.at from moment) - make_interval(secs => :retention_ms / 1000.0)
    and (
      job.key_hash is null
      or job.key_scope is null
      or job.key_expires_at <= (select moment.at from moment)
    )
    and (job.parent_id is null or not exists (select from workhorse.job_run where job_run.job_id = job.parent_id))
  order by job_outcome.finished_at
  limit :most
  for update of job skip locked
),
kept as materialized (
  select job.id
  from workhorse.job_outcome
  join workhorse.job on job.id = job_outcome.job_id
  where job_outcome.state = :state
    and job_outcome.keep_until <= (select moment.at from moment)
    and (
      job.key_hash is null
      or job.key_scope is null
      or job.key_expires_at <= (select moment.at from moment)
    )
    and (job.parent_id is null or not exists (select from workhorse.job_run where job_run.job_id = job.parent_id))
  order by job_outcome.keep_until
  limit :most
  for update of job skip locked
),
old as materialized (
  select id from finished
  union all
  select id from kept
),
checkpoint as (
  delete from workhorse.checkpoint
  using old
  where checkpoint.job_id = old.id
),
wait as (
  delete from workhorse.job_wait
  using old
  where job_wait.job_id = old.id
),
progress as (
  delete from workhorse.job_progress
  using old
  where job_progress.job_id = old.id
),
event as (
  delete from workhorse.job_event
  using old
  where job_event.job_id = old.id
),
outcome as (
  delete from workhorse.job_outcome
  using old
  where job_outcome.job_id = old.id
)
delete from workhorse.job
using old
where job.id = old.id
