-- Looks at the holder of a key, whether its ttl or window is over or not. Locks nothing. Index: job_key_hash_uq.
select
  job.id as held_id, job.key_mode as held_mode, job.key_fingerprint as held_fingerprint,
  job.key_expires_at > (select workhorse.clock()) as held_live, cast(null as boolean) as window_open
from workhorse.job
where job.key_hash = :key_hash
