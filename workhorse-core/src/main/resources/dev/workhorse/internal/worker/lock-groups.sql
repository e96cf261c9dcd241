-- Chooses the groups of a queue that have room for another running job, and takes a lock on each for the length of the
-- transaction, so that no other node claims from them meanwhile. Groups that another node has locked are passed over.
-- The count is taken once for each group. Indexes: job_run_ready_idx, job_run_group_idx.
with roomy as materialized (
  select distinct due.concurrency_key
  from (
    select job_run.concurrency_key
    from workhorse.job_run
    cross join lateral (
      select count(*) as jobs
      from workhorse.job_run as other
      where other.queue = :queue
        and other.concurrency_key = job_run.concurrency_key
        and other.state = 'running'
    ) as running
    where job_run.queue = :queue
      and job_run.state = 'ready'
      and job_run.type = any (:types)
      and job_run.concurrency_key is not null
      and running.jobs < :per_key
    order by -job_run.priority, job_run.run_at, job_run.job_id
    limit :most
  ) as due
)
select roomy.concurrency_key
from roomy
where pg_try_advisory_xact_lock(hashtextextended(:lock_name || roomy.concurrency_key, 0))
