-- Counts due jobs that no living node would take, by queue and type, looking at no more than the given number of them.
-- Locks nothing.
select ready.queue, ready.type, count(*) as jobs
from (
  select job_run.queue, job_run.type
  from workhorse.job_run
  where job_run.state = 'ready'
  limit :most
) as ready
where not exists (
  select
  from workhorse.worker
  where worker.alive_until > (select workhorse.clock())
    and ready.queue = any (worker.queues)
    and ready.type = any (worker.types)
)
group by ready.queue, ready.type
order by ready.queue, ready.type
