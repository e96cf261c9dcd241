-- Lists the paused queues. Locks nothing; the table is small.
select queue, paused_at, paused_by, reason
from workhorse.queue_control
order by queue
limit 1000
