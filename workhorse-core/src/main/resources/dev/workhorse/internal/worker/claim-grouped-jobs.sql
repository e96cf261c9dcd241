-- Claims due jobs as claim-jobs.sql does, of the groups this transaction has locked and of none: no more of a group
-- than it has room for, counted under the lock.
-- Indexes: job_run_ready_idx, job_run_group_idx, queue_control_pk.
with moment as materialized (
  select workhorse.clock() as at
),
picked as materialized (
  select job_run.ctid, job_run.concurrency_key, job_run.priority, job_run.run_at, job_run.job_id
  from workhorse.job_run
  where job_run.queue = :queue
    and job_run.state = 'ready'
    and job_run.type = any (:types)
    and not exists (select from workhorse.queue_control where queue_control.queue = :queue)
    and (job_run.concurrency_key is null or job_run.concurrency_key = any (:keys))
  order by -job_run.priority, job_run.run_at, job_run.job_id
  limit :most
  for no key update skip locked
),
ranked as (
  select
    picked.ctid as place, picked.concurrency_key,
    row_number() over (
      partition by picked.concurrency_key
      order by -picked.priority, picked.run_at, picked.job_id
    ) as rank
  from picked
),
allowed as materialized (
  select ranked.place
  from ranked
  where ranked.concurrency_key is null
    or ranked.rank <= :per_key - (
      select count(*)
      from workhorse.job_run as other
      where other.queue = :queue
        and other.concurrency_key = ranked.concurrency_key
        and other.state = 'running'
    )
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
  where job_run.ctid = any (array(select allowed.place from allowed))
    and job_run.state = 'ready'
  returning
    job_run.job_id, job_run.type, job_run.attempt, job_run.fence, job_run.suspended, job_run.priority, job_run.run_at
)
select
  claimed.job_id, claimed.type, claimed.attempt, claimed.fence, claimed.suspended, job.parent_id, job.depth,
  job.payload, job.max_attempts, job.retry_policy, job.explicit_options, job.timeout_ms, job.deadline, job.event,
  ceil(extract(epoch from job.deadline - moment.at) * 1000) as deadline_ms,
  job.trace_context,
  extract(epoch from moment.at - claimed.run_at) * 1000 as overdue_ms
from claimed
join workhorse.job on job.id = claimed.job_id
cross join moment
order by -claimed.priority, claimed.run_at, claimed.job_id
