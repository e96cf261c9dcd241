-- Says that a node is alive. Locks its own row only. Index: worker_pk.
insert into workhorse.worker (id, name, queues, types, slots, started_at, alive_until)
select :id, :name, :queues, :types, :slots, moment.at, moment.at + make_interval(secs => :lease_ms / 1000.0)
from (select workhorse.clock() as at) as moment
on conflict (id) do update
set alive_until = excluded.alive_until
