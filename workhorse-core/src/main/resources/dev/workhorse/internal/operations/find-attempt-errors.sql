-- Reads what was out of the ordinary with a job's attempts, oldest first. Locks nothing. Index: job_event_pk.
select
  coalesce(attempt, 0) as attempt, at, kind,
  details ->> 'type' as type, details ->> 'message' as message, details ->> 'stack' as stack
from workhorse.job_event
where job_id = :id
  and kind in ('attempt-failed', 'lease-expired', 'attempt-released', 'superseded')
order by id
