-- Moves executions that were just created into the slot that is current now, because creating them has waited for
-- another transaction until their slot was over. Locks their rows. Indexes: job_pk, job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
moved as (
  update workhorse.job
  set created_at = moment.at,
      key_expires_at =
        to_timestamp((floor(extract(epoch from moment.at) * 1000 / key_window_ms) + 1) * key_window_ms / 1000)
  from moment
  where job.id = any (:ids)
    and job.key_hash is not null
  returning job.id, job.key_mode, job.key_expires_at
)
update workhorse.job_run
set run_at = moved.key_expires_at
from moved
where job_run.job_id = moved.id
  and moved.key_mode = 'debounce-slot'
  and job_run.fence = 0
