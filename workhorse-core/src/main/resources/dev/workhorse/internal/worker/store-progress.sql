-- Keeps the latest progress of attempts that have their live fence; one that has been overtaken changes nothing. Locks
-- rows of job_progress in the order of job ids, and no run. Each run is looked up by itself (offset 0), so that no plan
-- compares all with all. Indexes: job_run_pk, job_progress_pk.
insert into workhorse.job_progress as progress (job_id, fence, value, stored_at)
select given.job_id, given.fence, cast(given.value as jsonb), workhorse.clock()
from unnest(
  cast(:job_ids as uuid[]), cast(:fences as bigint[]), cast(:progress as text[])
) as given (job_id, fence, value)
cross join lateral (
  select
  from workhorse.job_run
  where job_run.job_id = given.job_id
    and job_run.fence = given.fence
    and job_run.worker is not null
  offset 0
) as run
order by given.job_id
on conflict (job_id) do update
set fence = excluded.fence,
    value = excluded.value,
    stored_at = excluded.stored_at
where progress.fence <= excluded.fence
