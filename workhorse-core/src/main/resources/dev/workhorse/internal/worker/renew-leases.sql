-- Renews the leases of the attempts a node is running, in one batch. Passes over rows that another transaction has
-- locked. Changes no indexed column. Locks job_run rows in the order of their ids. Index: job_run_pk.
with held as materialized (
  select job_run.job_id
  from unnest(cast(:job_ids as uuid[]), cast(:fences as bigint[])) as lease (job_id, fence)
  join workhorse.job_run
    on job_run.job_id = lease.job_id
    and job_run.fence = lease.fence
    and job_run.state = 'running'
  order by job_run.job_id
  for no key update of job_run skip locked
)
update workhorse.job_run
set lease_until = moment.at + make_interval(secs => :lease_ms / 1000.0)
from held
cross join (select workhorse.clock() as at) as moment
where job_run.job_id = held.job_id
returning
  job_run.job_id, job_run.fence, job_run.cancel_request is not null as cancelled,
  coalesce(cast(job_run.cancel_request ->> 'interrupt' as boolean), false) as interrupt
