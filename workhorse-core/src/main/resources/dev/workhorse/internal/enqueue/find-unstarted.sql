-- Of jobs whose debounce window is over, tells which are still waiting for their first attempt. Locks nothing.
-- Index: job_run_pk.
select job_id
from workhorse.job_run
where job_id = any (:ids)
  and fence = 0
  and state in ('scheduled', 'ready')
