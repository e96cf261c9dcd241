-- Tells whether a job failed because another execution took its place. Locks nothing. Index: job_outcome_pk.
select job_id
from workhorse.job_outcome
where job_id = :job_id
  and state = 'failed'
  and error ->> 'type' = 'superseded'
