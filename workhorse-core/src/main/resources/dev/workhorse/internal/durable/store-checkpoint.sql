-- Stores the value of a checkpoint if the attempt still has its live fence. Locks the run until the transaction ends,
-- so that the fence cannot rise in between. Writes nothing for a stale attempt. Indexes: job_run_pk, checkpoint_pk.
with held as materialized (
  select job_run.job_id
  from workhorse.job_run
  where job_run.job_id = :job_id
    and job_run.fence = :fence
    and job_run.worker is not null
  for no key update
),
stored as (
  insert into workhorse.checkpoint (job_id, name, seq, value, stored_at)
  select held.job_id, :name, :seq, cast(:value as jsonb), workhorse.clock()
  from held
  on conflict (job_id, name) do nothing
)
select count(*) from held
