-- Counts live jobs by queue and state: the ready ones of each queue, the running ones, and those that are due later, up
-- to the given number. Locks nothing. Indexes: job_run_ready_idx, job_run_running_idx, job_run_scheduled_idx.
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
later as (
  select queue, state
  from workhorse.job_run
  where state in ('scheduled', 'waiting')
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
select later.queue, later.state, count(*)
from later
group by later.queue, later.state
order by 1, 2
