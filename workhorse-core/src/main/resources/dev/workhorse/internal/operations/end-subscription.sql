-- Ends a subscription unless it has ended, and keeps who did so and why. Locks its row. Index: subscription_pk.
update workhorse.subscription
set ended_at = workhorse.clock(),
    ended_by = :by,
    end_reason = :reason
where event = :event
  and type = :type
  and ended_at is null
