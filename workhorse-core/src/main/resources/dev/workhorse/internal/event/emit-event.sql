-- Emits an event unless its key is held. Answers with one row: the new event, or the event that holds the key, or
-- neither when another transaction won the key in the meantime (emit again in a new statement).
-- Locks nothing that exists; waits only for an open transaction that is emitting with the same key. Where the key is
-- held nothing is written. Index: event_key_hash_uq.
with held as materialized (
  select
    event.id,
    coalesce(event.dispatched_at > workhorse.clock() - make_interval(secs => :retention_ms / 1000.0), true) as live
  from workhorse.event
  where event.key_hash = :key_hash
),
emitted as (
  insert into workhorse.event (id, name, payload, emitted_at, key_hash, key_preview, key_length, trace_context)
  select
    :id, :name, cast(:payload as jsonb), workhorse.clock(), :key_hash, :key_preview, :key_length,
    cast(:trace_context as jsonb)
  where not exists (select from held)
  on conflict (key_hash) where key_hash is not null do nothing
  returning id
)
select emitted.id as emitted_id, held.id as held_id, held.live as held_live
from (select) as answer
left join emitted on true
left join held on true
