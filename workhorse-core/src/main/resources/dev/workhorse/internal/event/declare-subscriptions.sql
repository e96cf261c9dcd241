-- Writes what handlers subscribe to. What is stored already stays as it is; what has changed, or was ended,
-- is replaced. Locks the subscriptions in the order of event and type, so that two nodes that
-- start at once cannot wait for each other. Index: subscription_pk.
insert into workhorse.subscription (
  event, type, queue, filter, payload_fields, max_attempts, retry_policy, declared_at
)
select
  declared.event, declared.type, declared.queue, cast(declared.filter as jsonb),
  nullif(array(select jsonb_array_elements_text(cast(declared.payload_fields as jsonb))), '{}'),
  declared.max_attempts, declared.retry_policy, workhorse.clock()
from unnest(
  cast(:events as text[]), cast(:types as text[]), cast(:queues as text[]), cast(:filters as text[]),
  cast(:payload_fields as text[]), cast(:max_attempts as bigint[]), cast(:retry_policies as text[])
) as declared (event, type, queue, filter, payload_fields, max_attempts, retry_policy)
order by declared.event, declared.type
on conflict (event, type) do update
set queue = excluded.queue,
    filter = excluded.filter,
    payload_fields = excluded.payload_fields,
    max_attempts = excluded.max_attempts,
    retry_policy = excluded.retry_policy,
    declared_at = excluded.declared_at,
    ended_at = null,
    ended_by = null,
    end_reason = null
where subscription.ended_at is not null
  or (
    subscription.queue, subscription.filter, subscription.payload_fields, subscription.max_attempts,
    subscription.retry_policy
  ) is distinct from (
    excluded.queue, excluded.filter, excluded.payload_fields, excluded.max_attempts, excluded.retry_policy
  )
