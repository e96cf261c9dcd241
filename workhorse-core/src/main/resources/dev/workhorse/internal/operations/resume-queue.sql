-- Resumes a paused queue. Locks its row. Index: queue_control_pk.
delete from workhorse.queue_control
where queue = :queue
