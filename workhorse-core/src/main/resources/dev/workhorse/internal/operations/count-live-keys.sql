-- Counts held keys by mode, looking at no more than the given number of them. Locks nothing.
-- Index: job_key_expires_idx.
select key_mode, count(*) as keys
from (
  select key_mode
  from workhorse.job
  where key_hash is not null
    and key_expires_at > (select workhorse.clock())
  order by key_expires_at
  limit :most
) as held
group by key_mode
