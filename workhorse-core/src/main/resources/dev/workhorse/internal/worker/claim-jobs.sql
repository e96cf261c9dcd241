-- Claims due jobs of one queue that is not paused, of the types this node handles: by priority, then due time, then
-- age. Locks the picked rows and passes over those others hold. Found again by ctid: a row that moved in the meantime
-- is left for the next claim. A suspended attempt goes on, which does not count as another one. Begins behind a place
-- in that order: what was claimed before lies dead in the index, and an old transaction elsewhere keeps it there.
-- Indexes: job_run_ready_idx, queue_control_pk.
with moment as materialized (
  select workhorse.clock() as at
),
picked as materialized (
  select job_run.ctid
  from workhorse.job_run
  where job_run.queue = :queue
    and job_run.state = 'ready'
    and job_run.type = any (:types)
    and not exists (select from workhorse.queue_control where queue_control.queue = :queue)
    and (-job_run.priority, job_run.run_at, job_run.job_id)
      > (cast(:after_rank as smallint), cast(:after_run_at as timestamptz), cast(:after_id as uuid))
  order by -job_run.priority, job_run.run_at, job_run.job_id
  limit :most
  for no key update skip locked
),
claimed as (
  update workhorse.job_run
  set state = 'running',
      attempt = attempt + case when suspended then 0 else 1 end,
      fence = fence + 1,
      worker = :worker,
      started_at = moment.at,
      lease_until = moment.at + make_interval(secs => :lease_ms / 1000.0)
  from moment
  where job_run.ctid = any (array(select picked.ctid from picked))
    and job_run.state = 'ready'
  returning
    job_run.job_id, job_run.type, job_run.attempt, job_run.fence, job_run.suspended, job_run.priority, job_run.run_at
)
select
  claimed.job_id, claimed.type, claimed.attempt, claimed.fence, claimed.suspended, job.parent_id, job.depth,
  job.payload, job.max_attempts, job.retry_policy, job.explicit_options, job.timeout_ms, job.deadline, job.event,
  ceil(extract(epoch from job.deadline - moment.at) * 1000) as deadline_ms,
  job.trace_context, -claimed.priority as rank, cast(claimed.run_at as text) as run_at,
  extract(epoch from moment.at - claimed.run_at) * 1000 as overdue_ms
from claimed
join workhorse.job on job.id = claimed.job_id
cross join moment
order by -claimed.priority, claimed.run_at, claimed.job_id
