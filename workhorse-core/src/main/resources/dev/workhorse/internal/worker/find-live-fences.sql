-- Of the attempts that could not be written, tells which still have their lease: their row was only locked by another
-- transaction. Locks nothing. Index: job_run_pk.
select job_id, fence
from workhorse.job_run
where job_id = any (:job_ids)
  and worker is not null
