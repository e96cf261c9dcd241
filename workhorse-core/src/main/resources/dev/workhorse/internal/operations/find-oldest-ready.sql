-- Finds the longest waiting due job of each queue, going from priority to priority, at each of which it is the first.
-- Locks nothing. Index: job_run_ready_idx.
with recursive head as (
  (
    select job_run.queue, -job_run.priority as rank, job_run.run_at, 1 as place
    from workhorse.job_run
    where job_run.state = 'ready'
    order by job_run.queue, (-job_run.priority), job_run.run_at
    limit 1
  )
  union all
  select next.queue, next.rank, next.run_at, head.place + 1
  from head
  cross join lateral (
    select job_run.queue, -job_run.priority as rank, job_run.run_at
    from workhorse.job_run
    where job_run.state = 'ready'
      and (job_run.queue, (-job_run.priority)) > (head.queue, head.rank)
    order by job_run.queue, (-job_run.priority), job_run.run_at
    limit 1
  ) as next
  where head.place < 10000
)
select queue, min(run_at) as ready_since
from head
group by queue
