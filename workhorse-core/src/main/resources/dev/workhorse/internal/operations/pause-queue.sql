-- Pauses a queue unless it is paused, and keeps who did so and why. Locks its row. Index: queue_control_pk.
insert into workhorse.queue_control (queue, paused_at, paused_by, reason)
select :queue, workhorse.clock(), :by, :reason
on conflict (queue) do nothing
