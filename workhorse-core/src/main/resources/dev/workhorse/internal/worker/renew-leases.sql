-- Renews the leases of the attempts a node is running, in one batch. Passes over rows that another transaction has
-- locked. Changes no indexed column. Locks job_run rows in the order of their ids. Index: job_run_pk.
with held as materialized (
  select run.place
  from (
    select *
    from unnest(cast(:job_ids as uuid[]), cast(:fences as bigint[])) as row (job_id, fence)
    order by row.job_id
  ) as given
  cross join lateral (
    select job_run.ctid as place
    from workhorse.job_run
    where job_run.job_id = given.job_id
      and job_run.fence = given.fence
      and job_run.worker is not null
    for no key update skip locked
  ) as run
)
update workhorse.job_run
set lease_until = moment.at + make_interval(secs => :lease_ms / 1000.0)
from (select workhorse.clock() as at) as moment
where job_run.ctid = any (array(select held.place from held))
returning
  job_run.job_id, job_run.fence, job_run.cancel_request is not null as cancelled,
  coalesce(cast(job_run.cancel_request ->> 'interrupt' as boolean), false) as interrupt
