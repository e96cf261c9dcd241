-- Removes events that were dispatched longer ago than their keys are remembered, a bounded number at a time. Passes
-- over locked rows. Index: event_dispatched_idx.
with old as materialized (
  select event.id
  from workhorse.event
  where event.dispatched_at < (select workhorse.clock()) - make_interval(secs => :retention_ms / 1000.0)
  order by event.dispatched_at
  limit :most
  for update skip locked
)
delete from workhorse.event
using old
where event.id = old.id
