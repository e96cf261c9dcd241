-- Accepts a child of a running attempt that still has its live fence, once for each name. Locks the parent's run until
-- the transaction ends, so that the fence cannot rise in between. Answers with the child, or with nothing for a stale
-- attempt. Indexes: job_run_pk, job_child_uq.
with moment as materialized (
  select workhorse.clock() as at
),
parent as materialized (
  select job_run.job_id
  from workhorse.job_run
  where job_run.job_id = :parent_id
    and job_run.fence = :fence
    and job_run.worker is not null
  for no key update
),
accepted as (
  insert into workhorse.job (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, created_at, parent_id, child_name, cancel_with_parent, depth,
    trace_context
  )
  select
    :id, :queue, :type, cast(:payload as jsonb), :priority, :concurrency_key,
    coalesce(
      cast(:run_at as timestamptz), moment.at + make_interval(secs => cast(:delay_ms as bigint) / 1000.0)
    ),
    :tags, :max_attempts, :retry_policy, cast(:deadline as timestamptz), cast(:timeout_ms as bigint),
    :explicit_options, moment.at, parent.job_id, :child_name, :cancel_with_parent, :depth,
    cast(:trace_context as jsonb)
  from parent
  cross join moment
  on conflict (parent_id, child_name) where parent_id is not null do nothing
  returning id, created_at, coalesce(run_at, created_at) as run_at
),
run as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, concurrency_key, run_at)
  select
    accepted.id, :queue, :type, case when accepted.run_at > accepted.created_at then 'scheduled' else 'ready' end,
    :priority, :concurrency_key, accepted.run_at
  from accepted
),
step as (
  insert into workhorse.checkpoint (job_id, name, seq, child_id, stored_at)
  select parent.job_id, :child_name, 0, accepted.id, accepted.created_at
  from accepted
  cross join parent
)
select
  coalesce(accepted.id, child.id) as child_id,
  extract(epoch from accepted.run_at - accepted.created_at) * 1000 as delay_ms
from parent
left join accepted on true
left join workhorse.job as child
  on child.parent_id = parent.job_id
  and child.child_name = :child_name
