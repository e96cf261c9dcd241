-- Counts ttls and windows from now, for jobs whose acceptance had to wait for another transaction that rolled back.
-- Locks their rows, which this caller has just inserted. Indexes: job_pk, job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
restarted as (
  update workhorse.job
  set created_at = moment.at,
      key_expires_at = job.key_expires_at + (moment.at - job.created_at)
  from moment
  where job.id = any (:ids)
    and job.key_hash is not null
  returning job.id, job.key_mode, job.key_expires_at
)
update workhorse.job_run
set run_at = restarted.key_expires_at
from restarted
where restarted.key_mode = 'debounce'
  and job_run.job_id = restarted.id
  and job_run.fence = 0
