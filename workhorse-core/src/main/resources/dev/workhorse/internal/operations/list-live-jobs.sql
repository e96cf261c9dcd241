-- Lists jobs in a state in which they have not finished, as list-jobs.sql does, without looking at finished ones. Locks
-- nothing. Indexes: job_run_pk, job_pk.
with looked as materialized (
  select
    job_run.job_id, job_run.state, job_run.attempt, job_run.run_at,
    row_number() over (order by job_run.job_id desc) as place
  from workhorse.job_run
  where job_run.job_id < coalesce(cast(:after as uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  order by job_run.job_id desc
  limit :looked
),
judged as (
  select
    job.id, job.queue, job.type, job.priority, job.tags, job.created_at, looked.place, looked.state, looked.attempt,
    looked.run_at, cast(null as timestamptz) as finished_at,
    (cast(:queue as text) is null or job.queue = :queue)
      and (cast(:type as text) is null or job.type = :type)
      and (cast(:tag as text) is null or :tag = any (job.tags))
      and looked.state = :state as passes
  from looked
  join workhorse.job on job.id = looked.job_id
)
select *
from judged
where passes
  or place = :looked
order by id desc
limit :most
