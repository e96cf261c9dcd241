-- Takes tokens for the jobs that start. The row is locked by this transaction. Index: queue_rate_pk.
update workhorse.queue_rate
set tokens = tokens - :jobs
where queue = :queue
