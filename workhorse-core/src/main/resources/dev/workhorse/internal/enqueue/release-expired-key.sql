-- Takes the key from a job whose ttl is over, so that a new job can hold it. Locks that job's row; of several callers
-- at the same instant the first one wins, and the others find the key gone. Index: job_pk.
update workhorse.job
set key_hash = null
where id = :id
  and key_hash = :key_hash
  and key_expires_at <= (select workhorse.clock())
