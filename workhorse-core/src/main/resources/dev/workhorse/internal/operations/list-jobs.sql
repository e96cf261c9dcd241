-- Lists jobs that pass a filter, the latest first, from behind a place, looking at a bounded number of them; the last
-- one looked at is there in any case, so that the next page can begin behind it. The limits of one keep the planner
-- from reading whole tables for a join. Locks nothing.
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
    looked.*, coalesce(run.state, outcome.state) as state, coalesce(run.attempt, outcome.attempt) as attempt,
    run.run_at, outcome.finished_at,
    (cast(:queue as text) is null or looked.queue = :queue)
      and (cast(:type as text) is null or looked.type = :type)
      and (cast(:tag as text) is null or :tag = any (looked.tags))
      and (cast(:state as text) is null or coalesce(run.state, outcome.state) = :state) as passes
  from looked
  left join lateral (
    select job_run.state, job_run.attempt, job_run.run_at
    from workhorse.job_run
    where job_run.job_id = looked.id
    limit 1
  ) as run on true
  left join lateral (
    select job_outcome.state, job_outcome.attempt, job_outcome.finished_at
    from workhorse.job_outcome
    where job_outcome.job_id = looked.id
    limit 1
  ) as outcome on true
)
select *
from judged
where passes
  or place = :looked
order by id desc
limit :most
