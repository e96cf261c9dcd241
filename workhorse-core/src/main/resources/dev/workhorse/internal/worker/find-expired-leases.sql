-- Finds attempts whose lease is over, and whether their node still shows signs of life. Passes over rows that another
-- transaction has locked: their lease could not be renewed for that reason. Index: job_run_running_idx.
select job_run.job_id, job_run.fence, coalesce(worker.alive_until > moment.at, false) as worker_alive
from workhorse.job_run
cross join (select workhorse.clock() as at) as moment
left join workhorse.worker on worker.id = job_run.worker
where job_run.state = 'running'
  and job_run.lease_until < moment.at
limit 1000
for no key update of job_run skip locked
