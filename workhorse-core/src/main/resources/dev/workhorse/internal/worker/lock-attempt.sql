-- Locks the row of an attempt that its handler's own transaction is about to settle, if the attempt still has its live
-- fence. Waits for whoever has locked the row, and looks at the fence once more afterwards. Index: job_run_pk.
select job_run.job_id, job_run.fence
from workhorse.job_run
where job_run.job_id = :job_id
  and job_run.fence = :fence
  and job_run.worker is not null
for no key update of job_run
