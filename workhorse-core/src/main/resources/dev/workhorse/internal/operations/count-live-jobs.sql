-- Counts live jobs by queue and state, looking at no more than the given number of them. Locks nothing.
select live.queue, live.state, count(*) as jobs
from (
  select queue, state
  from workhorse.job_run
  limit :most
) as live
group by live.queue, live.state
order by live.queue, live.state
