-- Takes keys from jobs whose ttl or window is over, so that new jobs can hold them. Locks those jobs' rows in the order
-- of the key hashes; of several callers at the same instant the first one wins, and the others find the keys gone.
-- Index: job_pk.
with expired as materialized (
  select job.id
  from unnest(cast(:ids as uuid[]), cast(:key_hashes as bytea[])) as holder (id, key_hash)
  join workhorse.job
    on job.id = holder.id
    and job.key_hash = holder.key_hash
    and job.key_expires_at <= (select workhorse.clock())
  order by job.key_hash
  for no key update of job
)
update workhorse.job
set key_hash = null
from expired
where job.id = expired.id
