-- Takes a key from the job that holds it and notes who did so and why. Locks that job's row. Index: job_key_hash_uq.
with released as (
  update workhorse.job
  set key_hash = null
  where key_hash = :key_hash
  returning id
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select released.id, workhorse.clock(), 'key-released', cast(:details as jsonb)
  from released
)
select id from released
