-- Takes keys from jobs whose ttl or window is over, a bounded number at a time. A debounced job that has not started
-- keeps its key, so that a late request does not make a second one. Passes over locked rows.
-- Index: job_key_expires_idx.
with expired as materialized (
  select job.id
  from workhorse.job
  where job.key_hash is not null
    and job.key_expires_at <= (select workhorse.clock())
    and not (
      job.key_mode = 'debounce'
      and exists (
        select
        from workhorse.job_run
        where job_run.job_id = job.id
          and job_run.fence = 0
          and job_run.state in ('scheduled', 'ready')
      )
    )
  order by job.key_expires_at
  limit :most
  for no key update of job skip locked
)
update workhorse.job
set key_hash = null
from expired
where job.id = expired.id
