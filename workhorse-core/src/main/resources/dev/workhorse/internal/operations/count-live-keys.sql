-- Counts held keys by mode, looking at no more than the given number of those that expire and of those that do not.
-- Locks nothing. Index: job_key_expires_idx.
select held.key_mode, count(*) as keys
from (
  (
    select job.key_mode
    from workhorse.job
    where job.key_hash is not null
      and job.key_expires_at > (select workhorse.clock())
    limit :most
  )
  union all
  (
    select job.key_mode
    from workhorse.job
    where job.key_hash is not null
      and job.key_expires_at is null
    limit :most
  )
) as held
group by held.key_mode
