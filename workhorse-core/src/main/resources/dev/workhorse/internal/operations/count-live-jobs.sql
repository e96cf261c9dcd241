-- Counts live jobs by queue and state: the ready ones of each queue, and those of each other state, up to the given
-- number. Locks nothing. Indexes: job_run_ready_idx, job_run_running_idx, job_run_scheduled_idx.
with recursive head as (
  (
    select job_run.queue, 1 as place
    from workhorse.job_run
    where job_run.state = 'ready'
    order by job_run.queue
    limit 1
  )
  union all
  select next.queue, head.place + 1
  from head
  cross join lateral (
    select job_run.queue
    from workhorse.job_run
    where job_run.state = 'ready'
      and job_run.queue > head.queue
    order by job_run.queue
    limit 1
  ) as next
  where head.place < 1000
),
running as (
  select queue
  from workhorse.job_run
  where state = 'running'
  limit :most
),
scheduled as (
  select queue
  from workhorse.job_run
  where state = 'scheduled'
  order by run_at
  limit :most
)
select head.queue, 'ready' as state, (
  select count(*)
  from (
    select
    from workhorse.job_run
    where job_run.state = 'ready'
      and job_run.queue = head.queue
    limit :most
  ) as ready
) as jobs
from head
union all
select running.queue, 'running', count(*)
from running
group by running.queue
union all
select scheduled.queue, 'scheduled', count(*)
from scheduled
group by scheduled.queue
order by 1, 2
