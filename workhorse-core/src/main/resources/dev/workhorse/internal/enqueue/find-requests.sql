-- Reads the requests that keys are held for, to compare them field by field. Locks nothing. Index: job_pk.
select
  id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline, timeout_ms,
  explicit_options, key_mode, key_window_ms
from workhorse.job
where id = any (:ids)
