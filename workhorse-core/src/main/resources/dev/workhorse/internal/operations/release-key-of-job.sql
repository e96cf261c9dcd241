-- Takes the key from a job that holds one and notes who did so and why. Locks the job's row. Index: job_pk.
with released as (
  update workhorse.job
  set key_hash = null
  where id = :id
    and key_hash is not null
  returning id
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select released.id, workhorse.clock(), 'key-released', cast(:details as jsonb)
  from released
)
select id from released
