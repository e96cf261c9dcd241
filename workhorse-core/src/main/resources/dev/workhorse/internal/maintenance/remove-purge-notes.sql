-- Removes the notes on purged jobs once failed jobs of that age would go too, a bounded number at a time.
-- Index: job_event_purged_idx.
with old as materialized (
  select job_event.job_id, job_event.id
  from workhorse.job_event
  where job_event.kind = 'purged'
    and job_event.at < (select workhorse.clock()) - make_interval(secs => :retention_ms / 1000.0)
  limit :most
  for update skip locked
)
delete from workhorse.job_event
using old
where job_event.job_id = old.job_id
  and job_event.id = old.id
