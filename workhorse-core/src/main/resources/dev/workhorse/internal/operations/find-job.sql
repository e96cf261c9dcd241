-- Reads a job wherever it stands. Locks nothing. Indexes: job_pk, job_run_pk, job_outcome_pk,
-- job_progress_pk.
select
  job.id, job.queue, job.type, job.payload, job.priority, job.max_attempts, job.tags, job.created_at,
  coalesce(job_run.state, job_outcome.state) as state,
  coalesce(job_run.attempt, job_outcome.attempt) as attempt,
  job_run.run_at,
  coalesce(job_run.started_at, job_outcome.started_at) as started_at,
  job_outcome.finished_at,
  job_outcome.result,
  job.redrive_of, job.parent_id,
  cast(job_progress.value as text) as progress
from workhorse.job
left join workhorse.job_run on job_run.job_id = job.id
left join workhorse.job_outcome on job_outcome.job_id = job.id
left join workhorse.job_progress on job_progress.job_id = job.id
where job.id = :id
