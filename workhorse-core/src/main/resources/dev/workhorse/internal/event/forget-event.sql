-- Removes a dispatched event whose key is remembered no longer, so that a new event can hold the key. Locks its row; of
-- several callers at the same instant the first one wins, and the others find it gone. Index: event_pk.
delete from workhorse.event
where event.id = :id
  and event.dispatched_at <= (select workhorse.clock()) - make_interval(secs => :retention_ms / 1000.0)
