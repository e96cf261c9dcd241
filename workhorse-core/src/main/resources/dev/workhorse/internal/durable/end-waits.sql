-- Ends waits whose time is over, unless an event has matched in the meantime; the row of the wait decides between the
-- two. Only for an attempt that still has its live fence. Locks the run, then the waits.
-- Indexes: job_run_pk, job_wait_pk.
with held as materialized (
  select job_run.job_id
  from workhorse.job_run
  where job_run.job_id = :job_id
    and job_run.fence = :fence
    and job_run.worker is not null
  for no key update
),
ended as (
  update workhorse.job_wait
  set ended_at = workhorse.clock()
  from held
  where job_wait.job_id = held.job_id
    and job_wait.name = any (:names)
    and job_wait.ended_at is null
    and job_wait.until <= workhorse.clock()
)
select count(*) from held
