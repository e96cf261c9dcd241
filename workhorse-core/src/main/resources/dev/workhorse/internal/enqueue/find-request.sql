-- Reads the request that a key is held for, to compare it field by field. Locks nothing. Index: job_pk.
select
  queue, type, payload, priority, run_at, tags, max_attempts, retry_policy, explicit_options, key_mode, key_window_ms
from workhorse.job
where id = :id
