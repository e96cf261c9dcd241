-- Looks at the holder of a key: all that a repeat needs. Locks nothing. Index: job_key_hash_uq.
select
  cast(null as uuid) as accepted_id, false as waited, 0 as delay_ms, cast(null as uuid) as replaced_id,
  job.id as held_id, job.key_mode as held_mode, job.key_fingerprint as held_fingerprint,
  job.key_expires_at > (select workhorse.clock()) as held_live, cast(null as boolean) as window_open
from workhorse.job
where job.key_hash = :key_hash
