-- Tells who holds a key. Locks nothing. Indexes: job_key_hash_uq, job_run_pk, job_outcome_pk.
select
  job.id, job.key_mode, job.created_at, job.key_expires_at,
  job.key_expires_at > (select workhorse.clock()) as live,
  coalesce(job_run.state, job_outcome.state) as state,
  job_run.fence = 0 and job_run.state in ('scheduled', 'ready') as unstarted
from workhorse.job
left join workhorse.job_run on job_run.job_id = job.id
left join workhorse.job_outcome on job_outcome.job_id = job.id
where job.key_hash = :key_hash
