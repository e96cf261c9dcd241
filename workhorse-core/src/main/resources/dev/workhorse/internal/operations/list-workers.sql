-- Lists the nodes, the living first. Locks nothing; the table is small.
select
  id, name, queues, types, slots, started_at, alive_until,
  alive_until > (select workhorse.clock()) as alive
from workhorse.worker
order by alive desc, name, started_at
limit 1000
