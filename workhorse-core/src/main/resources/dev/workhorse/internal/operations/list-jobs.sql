-- Lists jobs that pass a filter, the latest first, from behind a place, looking at a bounded number of them; the last
-- one looked at is there in any case, so that the next page can begin behind it. Locks nothing.
-- Indexes: job_pk, job_run_pk, job_outcome_pk.
with looked as materialized (
  select
    job.id, job.queue, job.type, job.priority, job.tags, job.created_at,
    row_number() over (order by job.id desc) as place
  from workhorse.job
  where job.id < coalesce(cast(:after as uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  order by job.id desc
  limit :looked
),
judged as (
  select
    looked.*, coalesce(job_run.state, job_outcome.state) as state,
    coalesce(job_run.attempt, job_outcome.attempt) as attempt,
    job_run.run_at, job_outcome.finished_at,
    (cast(:queue as text) is null or looked.queue = :queue)
      and (cast(:type as text) is null or looked.type = :type)
      and (cast(:tag as text) is null or :tag = any (looked.tags))
      and (cast(:state as text) is null or coalesce(job_run.state, job_outcome.state) = :state) as passes
  from looked
  left join workhorse.job_run on job_run.job_id = looked.id
  left join workhorse.job_outcome on job_outcome.job_id = looked.id
)
select *
from judged
where passes
  or place = :looked
order by id desc
limit :most
