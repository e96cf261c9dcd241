-- Counts the ttl from now, for a job whose acceptance had to wait for another transaction that rolled back.
-- Locks the row, which this transaction has just inserted. Index: job_pk.
update workhorse.job
set created_at = moment.at,
    key_expires_at = moment.at + make_interval(secs => key_window_ms / 1000.0)
from (select workhorse.clock() as at) as moment
where id = :id
  and key_hash = :key_hash
